/** What is used of opentype.js: its published types need those of a browser. */
declare module 'opentype.js' {
  namespace opentype {
    interface Glyph {
      readonly advanceWidth?: number;
      getPath(x: number, y: number, fontSize: number): { toPathData(decimals: number): string };
    }

    interface Font {
      readonly unitsPerEm: number;
      charToGlyph(sign: string): Glyph;
    }

    function parse(file: ArrayBuffer): Font;
  }
  export = opentype;
}
