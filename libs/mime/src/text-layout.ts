/** Characters that are not visible: fillers in preheaders and hints for line breaks. */
const invisible = /[\u00ad\u034f\u200b\u2060\ufeff]/;
const invisibles = new RegExp(invisible, 'g');
const uncollapsed = /[^\S ]| {2}/;
const whiteSpaces = /\s+/g;

/** Deeper lists are not indented further: otherwise n nested lists would need n * n spaces. */
const maxIndentDepth = 8;

/**
 * Collects words and line breaks and lays them out as plain text: white space collapses, blocks are separated.
 *
 * Breaks are written only before the next text, so that any number of nested blocks ends with at most one blank line.
 */
export class TextLayout {
  // An array of pieces and not one string, because slicing a growing string copies all of it each time.
  private readonly pieces: string[] = [];
  private breaks = 0;
  private wantsSpace = false;
  private indent = '';

  /** The current position in the text, for `since`. */
  get position(): number {
    return this.pieces.length;
  }

  /** Adds text. Each run of white space becomes one space. */
  addText(text: string): void {
    const seen = invisible.test(text) ? text.replace(invisibles, '') : text;
    const run = seen.trim();
    if (seen !== '' && (run === '' || isWhiteSpace(seen.charAt(0)))) this.wantsSpace = true;
    if (run === '') return;
    this.add(uncollapsed.test(run) ? run.replace(whiteSpaces, ' ') : run);
    this.wantsSpace = isWhiteSpace(seen.charAt(seen.length - 1));
  }

  /** Adds text and keeps its white space (`<pre>`). */
  addPreformatted(text: string): void {
    text.split(/\r\n?|\n/).forEach((line, index) => {
      if (index > 0) this.addLineBreak();
      if (line !== '') this.add(line);
    });
  }

  /** `<br>`: each one adds a line break, up to one blank line. */
  addLineBreak(): void {
    this.breaks = Math.min(this.breaks + 1, 2);
    this.wantsSpace = false;
  }

  /** The start or the end of a block: 1 for a new line, 2 for a blank line. */
  addBlock(breaks: 1 | 2): void {
    this.breaks = Math.max(this.breaks, breaks);
    this.wantsSpace = false;
  }

  setDepth(depth: number): void {
    this.indent = '  '.repeat(Math.min(Math.max(depth, 0), maxIndentDepth));
  }

  /** The text after a position, without breaks and spaces at its end. */
  since(position: number): string {
    return this.pieces.slice(position).join('').trim();
  }

  toString(): string {
    return this.pieces.join('');
  }

  private add(run: string): void {
    if (this.pieces.length > 0 && this.breaks > 0) this.pieces.push('\n'.repeat(this.breaks) + this.indent);
    else if (this.pieces.length > 0 && this.wantsSpace) this.pieces.push(' ');
    this.pieces.push(run);
    this.breaks = 0;
    this.wantsSpace = false;
  }
}

function isWhiteSpace(character: string): boolean {
  return character.trim() === '';
}
