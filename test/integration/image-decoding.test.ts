import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { imageLimits } from '../../libs/images/src/domain/image.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-images-'));
  await writeFile(join(directory, 'small'), await plain(8, 8).png().toBuffer());
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function plain(width: number, height: number, channels: 3 | 4 = 4): Sharp {
  const background = { r: 200, g: 1, b: 2, alpha: 0.5 };
  return sharp({ create: { width, height, channels, background }, limitInputPixels: false });
}

/** Stripes, which compress well and have no row that is like the one before. */
function stripes(width: number, height: number, channels: 3 | 4 = 4): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at >> 5) & 255;
  return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
}

/** Decodes it in a process of its own. The memory is that of the decoder, since a small image was decoded before. */
async function decoded(image: Buffer): Promise<{ outcome: string; bytes: number }> {
  const path = join(directory, 'image');
  await writeFile(path, image);
  const program = resolve('dist/test/support/programs/decode-image-program.js');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', program, join(directory, 'small'), path],
    {
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  return JSON.parse(stdout) as { outcome: string; bytes: number };
}

const tooMuch = /^takes more than 256 MB to decode/;
/** On a busy machine it may take longer than it is given. */
const decodable = /^(?:png|jpeg|takes too long to decode)$/;
const side = 6_300;

it.each<[string, () => Sharp, RegExp]>([
  ['a kilobyte of AVIF', () => plain(side, side, 3).avif({ effort: 0 }), tooMuch],
  ['an AVIF of twelve million pixels', () => plain(4_000, 3_000, 3).avif({ effort: 0 }), decodable],
  ['an interlaced PNG of 16 bits', () => plain(side, side).toColourspace('rgb16').png({ progressive: true }), tooMuch],
  ['an interlaced PNG', () => plain(side, side).png({ progressive: true }), decodable],
  ['a PNG of 16 bits', () => plain(side, side).toColourspace('rgb16').png(), decodable],
  ['a wide PNG of 16 bits', () => stripes(30_000, 1_300).toColourspace('rgb16').png({ compressionLevel: 6 }), tooMuch],
  ['a wide PNG', () => stripes(30_000, 1_300).png({ compressionLevel: 6 }), decodable],
  [
    'a progressive JPEG',
    () => stripes(5_900, 5_900, 3).jpeg({ quality: 5, progressive: true, chromaSubsampling: '4:4:4' }),
    decodable,
  ],
  ['a lossless WebP', () => stripes(side, side).webp({ lossless: true, effort: 0 }), decodable],
  ['a GIF of one frame', () => stripes(side, side).gif({ effort: 1, colours: 4, dither: 0 }), decodable],
])('%s of up to forty million pixels is decoded within the memory for it, or refused', async (_, image, expected) => {
  const { outcome, bytes } = await decoded(await image().toBuffer());
  expect(outcome).toMatch(expected);
  expect(bytes).toBeLessThan(imageLimits.maxDecodingBytes * (expected === tooMuch ? 0.2 : 1));
});
