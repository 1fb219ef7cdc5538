import { LargeText, ValidationError } from '#kernel';
import { Example, OptionalField, Shape } from '#http/openapi';
import { jsonObject } from '#http/server';
import {
  maxLogoBytes,
  maxProfileNameLength,
  parseAccentColor,
  parseLogo,
  parseProfileName,
  SenderProfileChanges,
} from '../../domain/sender-profile.js';

/** Body of `PATCH /preference-page`. Null removes a field. */
@Shape('The fields to change. Absent ones stay as they are, null removes one.')
@Example('look', 'A name, a logo and a colour', {
  name: 'Acme',
  logo: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  accent_color: '#0f766e',
})
export class UpdatePreferencePageRequest {
  @OptionalField(
    `Name that recipients see, at most ${maxProfileNameLength} characters. Without it, the name of your ` + 'team.',
    { nullable: true, maxLength: maxProfileNameLength },
  )
  name?: string | null;
  @OptionalField(`A PNG, JPEG, WebP or GIF picture of at most ${maxLogoBytes} bytes, in base64.`, {
    nullable: true,
    contentEncoding: 'base64',
  })
  logo?: string | null;
  @OptionalField('Colour of buttons, such as `#0f766e`.', { nullable: true, pattern: '^#[0-9A-Fa-f]{6}$' })
  accent_color?: string | null;
}

/** In characters of base64: half as much again as the largest logo. */
const maxLogoLength = 100_000;

export function decodeProfileChanges(body: unknown): SenderProfileChanges {
  const { name, logo, accent_color: color } = jsonObject(body);
  return {
    name: decoded('name', name, parseProfileName),
    logo: decoded('logo', logo, (text) => parseLogo(Buffer.from(text, 'base64'))),
    accentColor: decoded('accent_color', color, parseAccentColor),
  };
}

/**
 * Empty text removes a field as null does: this is an operation of our own, and an empty name or colour has no other
 * meaning.
 */
function decoded<T>(field: string, value: unknown, parse: (text: string) => T): T | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  if (typeof value !== 'string' && !(value instanceof LargeText)) {
    throw new ValidationError(`The \`${field}\` field must be a string.`);
  }
  if (value.length > maxLogoLength) throw new ValidationError(`The \`${field}\` field is too long.`);
  return parse(value.toString());
}
