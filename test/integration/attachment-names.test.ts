import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import PostalMime, { decodeWords } from 'postal-mime';
import { composeMessage } from '../../libs/mime/src/compose-message.js';
import { readMessage } from '../../libs/mime/src/reading/read-message.js';
import { parseMailbox } from '#kernel';
import { itUnless, whyNo } from '../support/runner/unless.js';

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

/** The reader of Ruby keeps the backslashes of a quoted string, and the one of PHP loses the quotes behind them. */
const withoutQuotes = names.filter((name) => !name.includes('"'));

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

const ruby = 'puts JSON.generate(Mail.new(STDIN.read).attachments.map(&:filename))';
const rubyMail = ['-rmail', '-rjson', '-e'];

itUnless(whyNo('ruby', ...rubyMail, ''))('are what Ruby reads', () => {
  const read = JSON.parse(execFileSync('ruby', [...rubyMail, ruby], { input: message }).toString()) as string[];
  expect(read.filter((name) => !name.includes('"'))).toEqual(withoutQuotes);
});

const php = `
$message = mailparse_msg_create();
mailparse_msg_parse($message, stream_get_contents(STDIN));
$names = [];
foreach (mailparse_msg_get_structure($message) as $id) {
  $part = mailparse_msg_get_part_data(mailparse_msg_get_part($message, $id));
  if (isset($part['disposition-filename'])) {
    $names[] = [iconv_mime_decode($part['disposition-filename'], 0, 'UTF-8'), iconv_mime_decode($part['content-name'], 0, 'UTF-8')];
  }
}
echo json_encode($names), PHP_EOL;`;

itUnless(whyNo('php', '-r', 'mailparse_msg_create();'))('are what PHP reads', () => {
  // It ends with an error of its own, when it frees the parts.
  const [line = ''] = spawnSync('php', ['-r', php], { input: message }).stdout.toString().split('\n');
  const read = JSON.parse(line) as string[][];
  expect(read.filter(([name = '']) => !name.includes('quoted'))).toEqual(withoutQuotes.map((name) => [name, name]));
});

const go = `package main
import ("encoding/json"; "io"; "mime"; "mime/multipart"; "net/mail"; "os")
func main() {
  message, _ := mail.ReadMessage(os.Stdin)
  _, parameters, _ := mime.ParseMediaType(message.Header.Get("Content-Type"))
  reader := multipart.NewReader(message.Body, parameters["boundary"])
  names := []string{}
  for {
    part, err := reader.NextPart()
    if err == io.EOF { break }
    if _, given, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition")); given["filename"] != "" { names = append(names, given["filename"]) }
  }
  json.NewEncoder(os.Stdout).Encode(names)
}`;

itUnless(whyNo('go', 'version'))('are what Go reads', () => {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-go-'));
  writeFileSync(join(directory, 'names.go'), go);
  const read = execFileSync('go', ['run', join(directory, 'names.go')], { input: message });
  rmSync(directory, { recursive: true });
  expect(JSON.parse(read.toString())).toEqual(names);
});
