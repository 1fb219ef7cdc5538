import { ValidationError } from '#kernel';

/** A picture for the preference page. Its bytes are in the page, so that no other server learns who opens it. */
export interface Logo {
  readonly contentType: LogoType;
  readonly bytes: Uint8Array;
}

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** How a team presents itself to recipients. */
export interface SenderProfile {
  /** The name that recipients see. */
  readonly name: string;
  /** Whether the team chose the name; otherwise it is the name of the team. */
  readonly isOwnName: boolean;
  readonly logo: Logo | null;
  /** `#rrggbb`; null: the colour of the service. */
  readonly accentColor: string | null;
}

export interface SenderProfileChanges {
  readonly name?: string | null;
  readonly logo?: Logo | null;
  readonly accentColor?: string | null;
}

export const maxProfileNameLength = 100;
export const maxLogoBytes = 64 * 1024;

/** The first bytes of each type. SVG is left out: it is a document that can hold scripts. */
const beginnings: readonly (readonly [LogoType, readonly (number | undefined)[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
];

export function parseProfileName(name: string): string {
  if (name.length <= maxProfileNameLength && !/[\u0000-\u001f\u007f]/.test(name) && name.isWellFormed()) return name;
  throw new ValidationError(`The \`name\` field may have at most ${maxProfileNameLength} characters on one line.`);
}

export function parseAccentColor(color: string): string {
  if (/^#[0-9a-f]{6}$/i.test(color)) return color.toLowerCase();
  throw new ValidationError('The `accent_color` field must have the form `#1a2b3c`.');
}

/** The type is read from the bytes, whatever the request says. */
export function parseLogo(bytes: Uint8Array): Logo {
  if (bytes.length > maxLogoBytes)
    throw new ValidationError(`The \`logo\` field may have at most ${maxLogoBytes} bytes.`);
  const known = beginnings.find(([, start]) => start.every((byte, at) => byte === undefined || bytes[at] === byte));
  if (known === undefined)
    throw new ValidationError('The `logo` field must be a PNG, JPEG, WebP or GIF picture in base64.');
  return { contentType: known[0], bytes };
}
