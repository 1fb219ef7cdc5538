/** How a quotation of Outlook begins: a rule above the fields of the quoted email. */
const rule = /^(?:-{2,} ?[^-]{3,40} ?-{2,}|_{10,})$/;
const field = /^\*?(?:From|Von|De|差出人) {0,3}[:：]/;

export interface FoldedText {
  /** What the author wrote. */
  readonly shown: string;
  /** What follows of earlier emails; empty if nothing does, or if there is nothing else. */
  readonly quoted: string;
}

/** Parts a text at the quotation that ends it. A quotation with an answer below it stays where it is. */
export function foldedText(text: string): FoldedText {
  const lines = text.trimEnd().split('\n');
  const start = startOfQuotation(lines.map((line) => line.trim()));
  const shown = lines.slice(0, start).join('\n').trimEnd();
  return shown.trim() === '' ? { shown: text.trimEnd(), quoted: '' } : { shown, quoted: lines.slice(start).join('\n') };
}

function startOfQuotation(lines: readonly string[]): number {
  const ruled = lines.findIndex((line, index) => rule.test(line) && field.test(lines[index + 1] ?? ''));
  if (ruled !== -1) return ruled;
  const isQuoted = (line: string): boolean => line === '' || line.startsWith('>');
  let start = lines.length;
  while (start > 0 && isQuoted(lines[start - 1] ?? '')) start--;
  if (!lines.slice(start).some((line) => line.startsWith('>'))) return lines.length;
  // The line that says who wrote it, which may be folded.
  let said = start;
  while (said > 0 && start - said < 3 && lines[said - 1] !== '') said--;
  return start > 0 && /[:：]$/.test(lines[start - 1] ?? '') ? said : start;
}
