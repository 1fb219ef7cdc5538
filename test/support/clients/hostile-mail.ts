import { SmtpDialogue } from './smtp-dialogue.js';

/** Submits a MIME message of the attacker. Resolves to the reply and, if it was accepted, the id of the email. */
export async function submitMessage(
  client: SmtpDialogue,
  sender: string,
  message: string,
): Promise<{ readonly id?: string; readonly reply: string }> {
  await client.ask(`MAIL FROM:<${sender}> BODY=8BITMIME`);
  await client.ask('RCPT TO:<somebody@nowhere.test>');
  await client.ask('DATA');
  client.send(`${message.replace(/^\./gm, '..')}\r\n.\r\n`);
  const reply = await client.reply();
  return { id: /^250 2\.6\.0 OK: (\S+)/.exec(reply)?.[1], reply };
}

/** Small messages that are expensive for a careless parser. `from` is the value of the From field. */
export function hostileMessages(from: string): Readonly<Record<string, string>> {
  const fields = `From: ${from}\r\nTo: somebody@nowhere.test\r\nSubject: Hello\r\n`;
  const mixed = `${fields}Content-Type: multipart/mixed; boundary=x\r\n\r\n`;
  const levels = Array.from(
    { length: 10_000 },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  );
  return {
    parts: mixed + '--x\r\n\r\n'.repeat(30_000),
    levels: fields + levels.join(''),
    header: `${fields}${'X-Long: a\r\n'.repeat(95_000)}\r\nHello`,
    folds: `${fields}X-Long: a\r\n${' b\r\n'.repeat(250_000)}\r\nHello`,
    delimiters: mixed + '--y\r\n'.repeat(200_000),
    messages: mixed + '--x\r\nContent-Type: message/rfc822\r\n\r\n'.repeat(9_000),
    comments: `${mixed}--x\r\n\r\nHi\r\n--x\r\nContent-Type: text/html\r\n\r\n${'<!--\r\n'.repeat(150_000)}`,
    words: `${mixed}${`--x\r\nContent-Type: a/b;\r\n name="${'=?a?B?=?= '.repeat(80)}"\r\n\r\n`.repeat(1_000)}`,
    flowed: `${fields}Content-Type: text/plain; format=flowed\r\n\r\n${'a \r\n'.repeat(250_000)}`,
    lines: `${fields}Content-Type: text/html\r\n\r\n${'\r\n'.repeat(500_000)}`,
  };
}
