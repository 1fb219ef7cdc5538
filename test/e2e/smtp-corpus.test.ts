import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { AuthenticateApiKey } from '#identity';
import { ReadAttachments } from '../../libs/emails/src/application/read-attachments.query.js';
import { Attachment } from '../../libs/emails/src/domain/email.js';
import { CorpusMessage, gatherCorpus } from '../support/builders/gather-corpus.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { itUnless, whyNo } from '../support/runner/unless.js';
import { StoredEmailResponse, submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';

const corpus = gatherCorpus();
const named = (name: string): CorpusMessage => corpus.find((message) => message.name === name) as CorpusMessage;

let program: SubmissionProgram;
let client: SmtpDialogue;
let directory: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  program = await SubmissionProgram.start();
  directory = mkdtempSync(join(tmpdir(), 'postrider-corpus-'));
  client = await SmtpDialogue.loggedIn(program.port('tls'), submissionApiKey);
  for (const { name, raw } of corpus) ids.set(name, await submit(name, raw));
});
afterAll(async () => {
  client.drop();
  rmSync(directory, { recursive: true, force: true });
  await program.stop();
});

async function submit(name: string, raw: Buffer): Promise<string> {
  await client.ask('MAIL FROM:<ann@sandbox.postrider.test> BODY=8BITMIME');
  await client.ask(`RCPT TO:<${name}@sink.test>`);
  await client.ask('DATA');
  client.send(Buffer.from(`${raw.toString('latin1').replace(/^\./gm, '..')}.\r\n`, 'latin1'));
  const reply = await client.reply();
  const id = /^250 2\.6\.0 OK: (\S+)/.exec(reply)?.[1];
  if (id === undefined) throw new Error(`${name}: ${reply}`);
  return id;
}

async function arrival(name: string): Promise<Buffer> {
  return (await program.arrived(({ recipients }) => recipients.includes(`${name}@sink.test`))).content;
}

const email = (name: string): Promise<StoredEmailResponse> => program.email(ids.get(name) ?? '');

async function attachments(name: string): Promise<readonly Attachment[]> {
  const { app } = program.postrider;
  const caller = await app.get(AuthenticateApiKey, { strict: false }).authenticate(submissionApiKey, '127.0.0.1');
  return app.get(ReadAttachments, { strict: false }).list(caller.teamId, ids.get(name) ?? '');
}

/** The fields of the header, with their folds, and the body. */
function parts(content: Buffer): { fields: string[]; body: string } {
  const text = content.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const header = end < 0 ? text : text.slice(0, end + 2);
  return { fields: header.split(/(?<=\r\n)(?![ \t])/), body: end < 0 ? '' : text.slice(end + 4) };
}

const removed = /^(?:bcc|return-path|x-postrider-tag|resend-idempotency-key)\s*:|^(?:date|message-id):\s*$|^From ann/i;

it('the corpus has at least 40 messages', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(40);
});

describe('a message arrives unchanged', () => {
  const written = corpus.filter(({ name }) => name !== 'raw-utf8-headers');

  it.each(written.map(({ name, raw }) => [name, raw] as const))('%s', async (name, raw) => {
    const sent = parts(raw);
    const content = await arrival(name);
    const { fields, body } = parts(content);

    expect(body).toBe(sent.body);
    const kept = sent.fields.filter((field) => !removed.test(field));
    expect(fields.slice(-kept.length)).toEqual(kept);
    const added = fields.slice(0, -kept.length);
    expect(added[0]).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256/);
    for (const name of ['Date', 'Message-ID']) {
      const isThere = kept.some((field) => new RegExp(`^${name}\\s*:`, 'i').test(field));
      expect(added.filter((field) => field.startsWith(`${name}: `))).toHaveLength(isThere ? 0 : 1);
    }
    expect((await program.dkimResults(content))[0]).toBe('pass');
  });
});

it('text beyond ASCII in a header is sent as encoded words, for servers without SMTPUTF8', async () => {
  const content = await arrival('raw-utf8-headers');
  const header = content.toString('latin1').split('\r\n\r\n', 1)[0] as string;
  expect(header).toMatch(/^[\t\r\n\x20-\x7e]*$/);
  const { from, to, subject } = await PostalMime.parse(content);
  expect(from).toMatchObject({ name: 'Änne', address: 'ann@sandbox.postrider.test' });
  expect(to).toMatchObject([{ name: 'Jörg', address: 'bob@sink.test' }]);
  expect(subject).toBe('Grüße 日本');
  expect((await program.dkimResults(content))[0]).toBe('pass');
});

describe('signatures of others still verify', () => {
  const file = (name: string, content: Buffer | string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };

  itUnless(whyNo('openssl', 'version')).each(['smime-signed-detached', 'smime-signed-opaque'])(
    '%s, by openssl',
    async (name) => {
      const verify = (content: Buffer): number | null =>
        spawnSync('openssl', [
          ...[
            'cms',
            '-verify',
            '-in',
            file(`${name}.eml`, content),
            '-CAfile',
            resolve('test/corpus/smime-signer.pem'),
          ],
          ...['-purpose', 'any', '-out', join(directory, 'verified')],
        ]).status;
      const content = await arrival(name);

      expect(verify(content)).toBe(0);
      if (name === 'smime-signed-opaque') return;
      expect(verify(Buffer.from(content.toString('latin1').replace('I owe', 'U owe'), 'latin1'))).not.toBe(0);
    },
  );

  itUnless(whyNo('gpg', '--version')).each(['pgp-signed-text', 'pgp-signed-multipart', 'pgp-inline'])(
    '%s, by gpg',
    async (name) => {
      const home = mkdtempSync(join(tmpdir(), 'gpg-'));
      const gpg = (...args: string[]): number | null =>
        spawnSync('gpg', ['--homedir', home, '--batch', ...args]).status;
      try {
        execFileSync('gpg', ['--homedir', home, '--batch', '--import', 'test/corpus/pgp-signer.asc'], {
          stdio: 'ignore',
        });
        const { body } = parts(await arrival(name));
        if (name === 'pgp-inline') return expect(gpg('--verify', file('inline.asc', body))).toBe(0);
        const [, signed = '', signature = ''] = body.split(/(?:^|\r\n)--sig(?:--)?\r\n/);
        const signatureFile = file('signature.asc', signature.slice(signature.indexOf('\r\n\r\n') + 4));

        expect(gpg('--verify', signatureFile, file('signed', Buffer.from(signed, 'latin1')))).toBe(0);
        expect(gpg('--verify', signatureFile, file('signed', Buffer.from(`${signed}!`, 'latin1')))).not.toBe(0);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );
});

describe('the API shows a message decoded', () => {
  it.each([
    ['plain-utf8-8bit', { text: 'Grüße aus Köln, €5 für Ærøskøbing' }],
    ['plain-latin1-8bit', { text: 'Grüße, café' }],
    ['plain-quoted-printable', { text: expect.stringContaining('Grüße und ein weiches Zeilenende') }],
    ['multipart-alternative', { text: 'Plain text\n', html: expect.stringContaining('<p>HTML') }],
    ['html-only', { html: expect.stringContaining('<b>Bob</b>') }],
    ['nested-three-deep', { text: 'Plain text\n', html: expect.stringContaining('<p>HTML') }],
    [
      'rfc2047-headers',
      {
        from: 'Änne <ann@sandbox.postrider.test>',
        to: ['Jörg <bob@sink.test>', '日 <c@sink.test>'],
        subject: 'Grüße aus Köln',
        message_id: '<rfc2047@x.test>',
        bcc: ['rfc2047-headers@sink.test'],
      },
    ],
    ['raw-utf8-headers', { from: 'Änne <ann@sandbox.postrider.test>', subject: 'Grüße 日本' }],
    ['folded-everything', { from: 'Ann <ann@sandbox.postrider.test>', subject: 'folded  subject' }],
    ['missing-everything-but-from', { to: [], subject: '', message_id: expect.stringMatching(/^<.+@sandbox/) }],
    ['undisclosed-group', { to: [], bcc: ['undisclosed-group@sink.test'] }],
    ['empty-body', { subject: 'empty body' }],
  ])('%s', async (name, expected) => {
    expect(await email(name)).toMatchObject(expected);
  });

  it.each([
    ['name-rfc2231', 'Rechnung ä €.pdf'],
    ['name-rfc2231-continued', 'Ein sehr langer Näme.pdf'],
    ['name-rfc2047', 'ärger.pdf'],
    ['name-raw-utf8', 'ärger.pdf'],
  ])('with the file name of %s', async (name, filename) => {
    const [attachment] = await attachments(name);

    expect(attachment).toMatchObject({ filename, contentType: 'application/octet-stream', size: 1024 });
  });

  it('with all attachments, inline ones too, under stable ids', async () => {
    const found = await attachments('nested-three-deep');

    expect(found).toMatchObject([
      { filename: 'pic.png', contentId: 'pic@x', contentType: 'image/png', size: 1024 },
      { filename: 'report.pdf', contentId: null, size: 1024 },
    ]);
    expect((await attachments('nested-three-deep')).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
    const { data } = (await program.get(`/emails/${ids.get('nested-three-deep')}/attachments`)) as {
      data: { filename: string; download_url: string }[];
    };
    expect(data.map(({ filename }) => filename)).toEqual(['pic.png', 'report.pdf']);
    expect((await (await fetch(data[1]?.download_url ?? '')).arrayBuffer()).byteLength).toBe(1024);
    expect(await attachments('calendar-invitation')).toHaveLength(1);
    expect(await attachments('plain-7bit')).toEqual([]);
  });

  it('with the Message-ID that was added if it had none', async () => {
    const { message_id } = await email('missing-date-and-id');

    expect((await arrival('missing-date-and-id')).toString()).toContain(`Message-ID: ${message_id}\r\n`);
    expect(named('missing-date-and-id').raw.toString()).not.toContain('Message-ID');
  });
});
