import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import PostalMime, { decodeWords } from 'postal-mime';
import { composeMessage } from '../../libs/mime/src/compose-message.js';
import { readMessage } from '../../libs/mime/src/reading/read-message.js';
import { parseMailbox } from '#kernel';

const names = [
  'report.pdf',
  'a "quoted" \\ name; x=y.pdf',
  "it's 100%.pdf",
  'Prüfbericht.pdf',
  '請求書.pdf',
  '請求書 2026年12月8日 山田商店 株式会社 東京都千代田区丸の内一丁目.pdf',
  '😀 party.png',
  'résumé (final) [2].docx',
  `${'long '.repeat(48)}name.pdf`,
  `${'ü'.repeat(250)}.pdf`,
];
const from = parseMailbox('a@sender.test');
if (from === undefined) throw new Error('The address is invalid');
const message = Buffer.from(
  composeMessage({
    from,
    to: [from],
    subject: 'Names',
    text: 'Hello',
    messageId: '<1@sender.test>',
    date: new Date(0),
    attachments: names.map((filename) => ({ filename, contentType: 'application/pdf', content: Buffer.from('x') })),
  }),
);
const python = `
import email, email.policy, email.header, json, sys
source = sys.stdin.buffer.read()
modern = email.message_from_bytes(source, policy=email.policy.default)
old = email.message_from_bytes(source, policy=email.policy.compat32)
decoded = lambda text: str(email.header.make_header(email.header.decode_header(text)))
print(json.dumps([
    [part.get_filename() for part in modern.iter_attachments()],
    [part.get_filename() for part in old.walk() if part.get_filename()],
    [decoded(part.get_param("name")) for part in old.walk() if part.get_param("name")],
]))`;

it('are what this program, postal-mime and Python read', async () => {
  expect(readMessage(message).files.map(({ filename }) => filename)).toEqual(names);
  expect((await PostalMime.parse(message)).attachments.map(({ filename }) => filename)).toEqual(names);
  const read = JSON.parse(execFileSync('python3', ['-c', python], { input: message }).toString()) as string[][];
  expect(read).toEqual([names, names, names]);
});

it('are what readers that know only encoded words in `name`, or only RFC 2231, read', () => {
  const unfolded = message.toString().replaceAll('\r\n ', ' ');
  const inTypes = [...unfolded.matchAll(/; name="((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) => name);
  expect(inTypes.map((name) => decodeWords(name.replace(/\\(.)/g, '$1')))).toEqual(names);
  const without = Buffer.from(unfolded.replace(/; name="(?:[^"\\]|\\.)*"/g, ''));
  expect(readMessage(without).files.map(({ filename }) => filename)).toEqual(names);
});
