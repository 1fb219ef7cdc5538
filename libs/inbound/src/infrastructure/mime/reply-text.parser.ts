import type { Parser } from '#platform/parsing';
import { englishQuoteLines } from './quote-lines.js';

/** What the author of a message wrote, without what it quotes and without the signature. */
export async function parse(bytes: Uint8Array): Promise<string | null> {
  const { default: EmailReplyParser } = await import('email-reply-parser');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const quoting = englishQuoteLines(text.replaceAll('\r\n', '\n'));
  const reply = quoting.restore(new EmailReplyParser().parseReply(quoting.text)).trim();
  return reply === '' ? null : reply;
}

/** Only in a thread: the expressions of the library may take long for texts that nobody writes. */
export const replyTextParser: Parser<null, string | null> = { url: import.meta.url, parse, maxInlineBytes: 0 };
