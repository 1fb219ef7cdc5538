/** Characters that fill preheaders and hint at breaks, and show as nothing. */
const invisible = /[\u00ad\u034f\u200b\u2060\ufeff]/;
const invisibles = new RegExp(invisible, 'g');
const uncollapsed = /[^\S ]| {2}/;
const whiteSpaces = /\s+/g;

/** Deeper lists are indented no further: otherwise n nested lists would make n * n spaces. */
const deepestIndent = 8;

/**
 * Collects words and line breaks, and lays them out as plain text: white space collapses, blocks stand apart.
 *
 * Breaks are asked for, not written, so any number of nested blocks ends in one blank line at most.
 */
export class TextLayout {
  // Pieces, not one string: reading a part of a string that grows copies all of it each time.
  private readonly pieces: string[] = [];
  private breaks = 0;
  private wantsSpace = false;
  private indent = '';

  /** A place in the text, for `since`. */
  get position(): number {
    return this.pieces.length;
  }

  /** Running text: any white space becomes one space. */
  addText(text: string): void {
    const seen = invisible.test(text) ? text.replace(invisibles, '') : text;
    const run = seen.trim();
    if (seen !== '' && (run === '' || isWhiteSpace(seen.charAt(0)))) this.wantsSpace = true;
    if (run === '') return;
    this.add(uncollapsed.test(run) ? run.replace(whiteSpaces, ' ') : run);
    this.wantsSpace = isWhiteSpace(seen.charAt(seen.length - 1));
  }

  /** Text whose white space means something (`<pre>`). */
  addPreformatted(text: string): void {
    text.split(/\r\n?|\n/).forEach((line, index) => {
      if (index > 0) this.addLineBreak();
      if (line !== '') this.add(line);
    });
  }

  /** `<br>`: each one counts, up to one blank line. */
  addLineBreak(): void {
    this.breaks = Math.min(this.breaks + 1, 2);
    this.wantsSpace = false;
  }

  /** The start or the end of a block: 1 for a new line, 2 for a blank line between. */
  addBlock(breaks: 1 | 2): void {
    this.breaks = Math.max(this.breaks, breaks);
    this.wantsSpace = false;
  }

  setDepth(depth: number): void {
    this.indent = '  '.repeat(Math.min(Math.max(depth, 0), deepestIndent));
  }

  /** What has been written since a place, without breaks and spaces that are still to come. */
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
