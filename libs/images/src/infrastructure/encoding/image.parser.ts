import type { Parser } from '#platform/parsing';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { EncodedImage } from '../../application/ports/images.port.js';

export interface EncodingLimits {
  readonly maxPixels: number;
  readonly maxDecodingBytes: number;
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/** Why it is refused, to be read after "The file". */
export interface RefusedImage {
  readonly refused: string;
}

const timeoutSeconds = 8;
/** A picture without transparency whose PNG is larger becomes JPEG if that is smaller. */
const largePng = 200 * 1024;

/**
 * Decodes an image and encodes it as one that mail clients show. What was around the pixels (metadata, comments, programs, a second
 * file) is not in the result. The decoder is chosen by the first bytes and is one of five: SVG, PDF and all else are refused.
 */
export async function parse(given: Uint8Array, limits: EncodingLimits): Promise<EncodedImage | RefusedImage> {
  const kind = kindOf(given);
  if (kind === undefined)
    return { refused: isMarkup(given) ? 'is SVG or HTML, which may run programs' : 'is no image' };
  try {
    const options = {
      limitInputPixels: limits.maxPixels,
      failOn: 'error',
      animated: kind === 'gif' || kind === 'webp',
    } as const;
    const image = await opened(given, options);
    const metadata = await image.metadata();
    if (!formatsOf[kind].includes(metadata.format)) return { refused: 'is no image' };
    if (pixelsOf(metadata) > limits.maxPixels) {
      return { refused: `has more than ${limits.maxPixels / 1_000_000} million pixels` };
    }
    if (decodingBytes(kind, metadata) > limits.maxDecodingBytes) {
      const megabytes = limits.maxDecodingBytes / 1024 ** 2;
      return {
        refused: `takes more than ${megabytes} MB to decode: make it smaller, or save it as a plain PNG or JPEG`,
      };
    }
    return await encoded(image, metadata, kind, limits);
  } catch (error) {
    const text = String(error);
    if (text.includes('pixel limit'))
      return { refused: `has more than ${limits.maxPixels / 1_000_000} million pixels` };
    return { refused: text.includes('timeout') ? 'takes too long to decode' : 'is damaged' };
  }
}

/**
 * `sharp` is loaded in the parser thread, with the first image. The memory of the service is for mail: nothing is kept
 * between images, and an image has one processor.
 */
async function opened(given: Uint8Array, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp(given, options);
}

export const imageParser: Parser<EncodingLimits, EncodedImage | RefusedImage> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 0,
};

type Kind = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif';

/** Names of the decoders that may read a file of the kind. */
const formatsOf: Readonly<Record<Kind, readonly string[]>> = {
  png: ['png'],
  jpeg: ['jpeg'],
  gif: ['gif'],
  webp: ['webp'],
  avif: ['heif', 'avif'],
};

function kindOf(bytes: Uint8Array): Kind | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp';
  return /^[^]{4}ftypavi[fs]/.test(head) ? 'avif' : undefined;
}

function isMarkup(bytes: Uint8Array): boolean {
  return /^[\ufeff\s]*<[!?a-z]/i.test(Buffer.from(bytes.subarray(0, 256)).toString());
}

function pixelsOf({ width, height, pages = 1, pageHeight = height }: Metadata): number {
  return width * pageHeight * pages;
}

/**
 * What decoding holds at most besides the rows that are sent on, measured with the worst files of each kind. PNG and JPEG are
 * read row by row: what is held grows with the width. If their rows come in several passes, and for all other kinds, the
 * whole image is held, with what its decoder needs.
 */
function decodingBytes(kind: Kind, metadata: Metadata): number {
  const { width, channels, depth, isProgressive } = metadata;
  const pixels = pixelsOf(metadata);
  const sampleBytes = depth === 'uchar' ? 1 : 2;
  switch (kind) {
    case 'png':
      return pixels * channels * sampleBytes * (isProgressive ? 1.3 : 0.5 + width / 50_000);
    case 'jpeg':
      // The coefficients of a progressive JPEG have two bytes each.
      return pixels * channels * (isProgressive ? 2.4 : 0.5 + width / 50_000);
    case 'webp':
      return pixels * 5;
    case 'gif':
      return pixels * 6;
    case 'avif':
      return pixels * (sampleBytes === 1 ? 20 : 28);
  }
}

async function encoded(image: Sharp, metadata: Metadata, kind: Kind, limits: EncodingLimits): Promise<EncodedImage> {
  const sized = image
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .resize({ width: limits.maxWidth, height: limits.maxHeight, fit: 'inside', withoutEnlargement: true });
  if ((metadata.pages ?? 1) > 1) return result(sized.gif({ effort: 3 }), 'gif');
  if (kind === 'jpeg') return result(sized.jpeg({ quality: 84, mozjpeg: true }), 'jpeg');
  const png = await result(sized.clone().png({ compressionLevel: 9 }), 'png');
  if (metadata.hasAlpha || png.bytes.length <= largePng) return png;
  const jpeg = await result(sized.clone().jpeg({ quality: 84, mozjpeg: true }), 'jpeg');
  return jpeg.bytes.length < png.bytes.length ? jpeg : png;
}

async function result(image: Sharp, type: EncodedImage['type']): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  // A copy that can be moved between threads.
  return { bytes: new Uint8Array(data), type, width: info.width, height: info.pageHeight ?? info.height };
}
