import { DomainError, NotFoundError, ValidationError } from '#kernel';

export const imageTypes = ['png', 'jpeg', 'gif', 'webp'] as const;
/** How an image is stored. WebP stays WebP only if it moves and a GIF cannot show it; all else becomes PNG, JPEG or GIF. */
export type ImageType = (typeof imageTypes)[number];

export interface StoredImage {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly alt: string;
  readonly type: ImageType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

export const imageLimits = {
  maxUploadBytes: 10 * 1024 * 1024,
  /** Of all frames of an animation together. */
  maxPixels: 40_000_000,
  /** Memory of the decoder, one image at a time. */
  maxDecodingBytes: 256 * 1024 * 1024,
  /** Twice the widest email, for sharp screens. Larger images are made smaller. */
  maxWidth: 1_800,
  maxHeight: 4_000,
  maxNameLength: 200,
  maxAltLength: 500,
  maxImages: 5_000,
  /** Of one team, in bytes. */
  quotaBytes: 1024 * 1024 * 1024,
} as const;

export class NoImageError extends ValidationError {
  constructor(why: string) {
    super(`The \`file\` ${why}. PNG, JPEG, GIF, WebP and AVIF images are accepted.`);
  }
}

export class ImageQuotaError extends DomainError {
  constructor() {
    super(
      'conflict',
      'validation_error',
      `Your team has ${imageLimits.quotaBytes / 1024 ** 3} GB or ${imageLimits.maxImages} images stored, which is all it ` +
        'may have. Images that were removed count for as long as mail that shows them is kept.',
    );
  }
}

export class UnknownImageError extends NotFoundError {
  constructor() {
    super('Image');
  }
}

export interface ImageTexts {
  readonly name?: string;
  readonly alt?: string;
}

export function parseImageName(given: string): string {
  // Some browsers send the path of the file.
  const path = Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\'));
  const name = cleaned(given.slice(path + 1)).slice(0, imageLimits.maxNameLength);
  return name === '' ? 'Image' : name;
}

/** Throws ValidationError if it is too long. */
export function parseAlt(given: string): string {
  const alt = cleaned(given);
  if (alt.length <= imageLimits.maxAltLength) return alt;
  throw new ValidationError(`The \`alt\` field may have at most ${imageLimits.maxAltLength} characters.`);
}

function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

/** The part of the address after the host. */
export function imagePath({ id, type }: Pick<StoredImage, 'id' | 'type'>): string {
  return `/i/${id}.${type === 'jpeg' ? 'jpg' : type}`;
}
