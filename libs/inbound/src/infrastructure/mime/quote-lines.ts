/** A line above a quotation has at most this many characters, with what is wrapped of it. */
const maxLength = 400;
const hasDate = /20\d\d/;
const hasTime = /\d[:.時]\d\d/;
const endsOpen = /[:：]\s*$/;
/** What Outlook writes for `From:` above a message that it does not mark with `>`. */
const fromLine =
  /^\s*(?:差出人|发件人|發件人|寄件者|寄件人|보낸 사람|От|Від|Od|Feladó|Gönderen|Från|Fra|Lähettäjä)\s?[:：][^<[\n]*[<[][^\s@<[]+@/;

/** Text in which each line above a quotation is in English, which is understood, and the way back. */
export interface EnglishQuoteLines {
  readonly text: string;
  restore(reply: string): string;
}

/**
 * Mail programs write `2026年12月8日(火) 14:30 山田 <a@b.test>:` in the language of their user. No list of languages is
 * complete: such a line has a date and a time, ends with a colon and stands above a line with `>`.
 */
export function englishQuoteLines(text: string): EnglishQuoteLines {
  const lines = text.split('\n');
  const originals: string[] = [];
  const written: string[] = [];
  for (let at = 0; at < lines.length;) {
    const count = linesOfIntroduction(lines, at);
    if (count === 0) written.push(lines[at] as string);
    else written.push(standIn(originals.push(lines.slice(at, at + count).join('\n')) - 1));
    at += Math.max(1, count);
  }
  return {
    text: originals.length === 0 ? text : written.join('\n'),
    restore: (reply) =>
      reply.replace(/On (\d{1,9}) \u2063 wrote:/g, (line, no: string) => originals[Number(no)] ?? line),
  };
}

const standIn = (no: number): string => `On ${no} \u2063 wrote:`;

/** 1, or 2 if the line is wrapped. 0 for any other line. */
function linesOfIntroduction(lines: readonly string[], at: number): number {
  const line = lines[at] as string;
  if (line.length > maxLength) return 0;
  if (fromLine.test(line)) return 1;
  if (!hasDate.test(line) || !hasTime.test(line)) return 0;
  if (endsOpen.test(line)) return isAboveQuotation(lines, at + 1) ? 1 : 0;
  const next = lines[at + 1] ?? '';
  const isWrapped = next.length <= maxLength && endsOpen.test(next) && !(hasDate.test(next) && hasTime.test(next));
  return isWrapped && isAboveQuotation(lines, at + 2) ? 2 : 0;
}

function isAboveQuotation(lines: readonly string[], at: number): boolean {
  return lines[lines[at]?.trim() === '' ? at + 1 : at]?.startsWith('>') === true;
}
