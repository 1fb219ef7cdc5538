import type { PngOptions } from 'sharp';

/**
 * Draws an SVG. `sharp` is loaded with the first picture: many processes never draw one. The memory of the service is for
 * mail: nothing is kept between pictures, and a picture has one processor.
 */
export async function pngOf(svg: string, options?: PngOptions): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp(Buffer.from(svg)).png(options).toBuffer();
}
