/** A line above a quotation has at most this many characters, with what is wrapped of it. */
const maxLength = 400;
const hasDate = /20\d\d/;
const hasTime = /\d[:.時]\d\d/;
const endsOpen = /[:：]\s*$/;
/** What Outlook writes for `From:` above a message that it does not mark with `>`. */
const fromLine =
  /^\s*(?:差出人|发件人|發件人|寄件者|寄件人|보낸 사람|От|Від|Od|Feladó|Gönderen|Från|Fra|Lähettäjä)\s?[:：][^<[\n]*[<[][^\s@<[]+@/;
/** The fields that programs write above a message that they do not mark with `>`, in the languages of their users. */
const messageFields = [
  'from|von|de|da|van|od|fra|från|lähettäjä|feladó|gönderen|kimden|от|від|差出人|发件人|發件人|寄件者|寄件人|보낸 사람',
  'sent|date|gesendet|datum|envoyé|enviado(?: el)?|enviada em|fecha|inviato|data|verzonden|skickat|sendt|lähetetty|wysłano|odesláno|elküldve|gönderildi|tarih|отправлено|дата|надіслано|送信日時|日付|发送时间|發送時間|日期|寄件日期|보낸 날짜|날짜',
  'subject|betreff|objet|asunto|oggetto|onderwerp|assunto|emne|ämne|aihe|temat|předmět|tárgy|konu|тема|件名|主题|主題|主旨|제목',
].map((names) => new RegExp(`^[\\s*]{0,8}(?:${names})[\\s*]{0,4}[:：]`, 'i'));
const [isFrom, isDate] = messageFields as [RegExp, RegExp];
/** Lines in which all of them stand. */
const maxFieldLines = 8;
/** `-----Original Message-----` in any language. */
const ruleLine = /^\s{0,8}[-_]{3,}(?:[^-_]{1,60}[-_]{3,})?\s*$/;

/** A rule under which a signature may stand. `--` is no such rule: it begins a signature, whatever it says. */
const signatureRule = /^\s{0,8}(?:-{3,4}|[_+=]{2,4})\s*$/;
const maxSignatureLines = 8;
/** What programs of phones write under a message. */
const device = '(?:iphone|ipad|android|handy|smartphone|samsung|galaxy|mobil|huawei|xiaomi|blackberry|windows|nokia)';
const mailProgram = '(?:mail|outlook|gmx|web\\.de|proton|yahoo|samsung|t-online|telekom)';
const phoneLine = new RegExp(
  [
    `(?:diese nachricht wurde )?von mein\\S{0,3} ${device}.{0,60} gesendet`,
    `gesendet (?:von|mit) (?:mein\\S{0,3} ${device}|(?:der )?${mailProgram}).{0,80}`,
    '.{0,10}(?:iphone|ipad|android|スマートフォン|スマホ|携帯|xperia|galaxy|yahoo|outlook|gmail|windows|ドコモ).{0,30}から送信(?:されました)?',
    'outlook for (?:ios|android)\\s?を入手.{0,80}',
  ]
    .map((line) => `^\\s{0,8}(?:${line})[.。]?\\s*$`)
    .join('|'),
  'i',
);

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
    if (count === 0) written.push(shielded(lines, at));
    else written.push(standIn(originals.push(lines.slice(at, at + count).join('\n')) - 1));
    at += Math.max(1, count);
  }
  return {
    text: written.join('\n'),
    restore: (reply) =>
      reply
        .replace(/^\u2063(?=\s{0,8}[-_+=]{2,4}\s*$)/gm, '')
        .replace(/On (\d{1,9}) \u2063 wrote:/g, (line, no: string) => originals[Number(no)] ?? line),
  };
}

const standIn = (no: number): string => `On ${no} \u2063 wrote:`;

/** The line, where the library does not take it for a signature although it is none, and nothing where it is one. */
function shielded(lines: readonly string[], at: number): string {
  const line = lines[at] as string;
  if (line.length > maxLength) return line;
  if (phoneLine.test(line)) return isLastLine(lines, at) ? '' : line;
  return signatureRule.test(line) && hasTextBelow(lines, at) ? `\u2063${line}` : line;
}

/** Whether nothing but a quotation, or another line of this kind, stands below. */
function isLastLine(lines: readonly string[], at: number): boolean {
  const below = lines.slice(at + 1, at + 2 + maxSignatureLines);
  const next = below.findIndex((line) => line.trim() !== '');
  const line = below[next] ?? '';
  return next < 0 || line.startsWith('>') || phoneLine.test(line) || linesOfIntroduction(lines, at + 1 + next) > 0;
}

/** Whether text stands below that is no signature: it has an empty line above it, many lines or a sentence. */
function hasTextBelow(lines: readonly string[], at: number): boolean {
  const rest = lines.slice(at + 1, at + 2 + maxSignatureLines);
  const end = rest.findIndex((line, no) => line.startsWith('>') || linesOfIntroduction(lines, at + 1 + no) > 0);
  const below = end < 0 ? rest : rest.slice(0, end);
  const first = below.findIndex((line) => line.trim() !== '');
  if (first < 0) return false;
  return (
    first > 0 ||
    below.length > maxSignatureLines ||
    below.some((line) => /[。！？]\s*$|^\s{0,8}(?:\S{1,60}\s{1,4}){4,}\S{1,60}[.!?]\s*$/.test(line))
  );
}

/** 1, or more if the line is wrapped or a rule stands above it. 0 for any other line. */
function linesOfIntroduction(lines: readonly string[], at: number): number {
  const line = lines[at] as string;
  if (line.length > maxLength) return 0;
  if (fromLine.test(line) || areFieldsOfMessage(lines, at)) return 1;
  if (ruleLine.test(line)) {
    const below = lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
    return areFieldsOfMessage(lines, below) ? below + 1 - at : 0;
  }
  if (!hasDate.test(line) || !hasTime.test(line)) return 0;
  if (endsOpen.test(line)) return isAboveQuotation(lines, at + 1) ? 1 : 0;
  const next = lines[at + 1] ?? '';
  const isWrapped = next.length <= maxLength && endsOpen.test(next) && !(hasDate.test(next) && hasTime.test(next));
  return isWrapped && isAboveQuotation(lines, at + 2) ? 2 : 0;
}

/** A person may write some of the fields, about a journey or a meeting, but hardly these three of them. */
function areFieldsOfMessage(lines: readonly string[], at: number): boolean {
  const first = lines[at] ?? '';
  if (!isFrom.test(first) && !isDate.test(first)) return false;
  const fields = lines.slice(at, at + maxFieldLines);
  return messageFields.every((field) => fields.some((line) => field.test(line)));
}

function isAboveQuotation(lines: readonly string[], at: number): boolean {
  return lines[lines[at]?.trim() === '' ? at + 1 : at]?.startsWith('>') === true;
}
