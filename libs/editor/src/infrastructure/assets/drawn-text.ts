import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype from 'opentype.js';

/** Text as shapes, so that pictures look the same on machines without fonts. Latin letters, digits and signs. */
export class DrawnText {
  private readonly font: opentype.Font;

  constructor(weight: 400 | 600 | 700) {
    const { resolve } = createRequire(import.meta.url);
    const file = readFileSync(resolve(`#fonts/inter-latin-${weight}-normal.woff`));
    this.font = opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  }

  /** SVG path data of a line whose middle is at `x` and whose base is at `y`. */
  centered(text: string, x: number, y: number, size: number): string {
    const glyphs = [...text].map((sign) => this.font.charToGlyph(sign));
    const scale = size / this.font.unitsPerEm;
    const widths = glyphs.map(({ advanceWidth = 0 }) => advanceWidth * scale);
    let at = x - widths.reduce((sum, width) => sum + width, 0) / 2;
    return glyphs
      .map((glyph, no) => {
        const path = glyph.getPath(at, y, size).toPathData(1);
        at += widths[no] ?? 0;
        return path;
      })
      .join('');
  }
}
