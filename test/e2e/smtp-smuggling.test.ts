import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';

let program: SubmissionProgram;

beforeAll(async () => {
  program = await SubmissionProgram.start();
});
afterAll(() => program.stop());

const headers = 'From: a@sandbox.postrider.test\r\nTo: b@sink.test\r\nSubject: outer\r\n\r\n';
const smuggled =
  'MAIL FROM:<evil@sandbox.postrider.test>\r\nRCPT TO:<victim@sink.test>\r\nDATA\r\n' +
  'From: evil@sandbox.postrider.test\r\nSubject: smuggled\r\n\r\nboo\r\n.\r\n';

async function atData(): Promise<SmtpDialogue> {
  const client = await SmtpDialogue.loggedIn(program.port('tls'), submissionApiKey);
  await client.ask('MAIL FROM:<a@b.test>');
  await client.ask('RCPT TO:<b@sink.test>');
  await client.ask('DATA');
  return client;
}

/** All byte sequences that some server has taken for the end of DATA, except the real one. */
const falseEnds: readonly string[] = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\r',
  '\r\n.\r\r\n',
  '\n.\r',
  '\r.\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\n\n.\r\n',
  '\r\r\n.\r\r\n',
];

describe('a false end of a message', () => {
  it.each(falseEnds.map((end) => [JSON.stringify(end), end]))('%s does not end it', async (_, end) => {
    const before = await program.rows();
    const client = await atData();
    client.send(`${headers}Hello${end}${smuggled.replace(/\r\n\.\r\n$/, '\r\n')}.\r\n`);

    const reply = await client.reply();
    expect(await client.ask('NOOP')).toMatch(/^250/);
    expect(client.unread).toBe('');
    client.drop();

    const isClean = !/(?<!\r)\n|\r(?!\n)/.test(end);
    expect(reply).toMatch(isClean ? /^250 2\.6\.0/ : /^550 5\.6\.0 The message has a CR or LF/);
    const after = await program.rows();
    expect(after.emails).toBe((before.emails ?? 0) + (isClean ? 1 : 0));
    if (!isClean) expect(after).toEqual(before);
  });

  it('does not end it in packets of one byte either', async () => {
    for (const end of ['\r\n..\r\n', '\n.\n', '\r\n.\rx\n']) {
      const client = await atData();
      for (const byte of Buffer.from(`${headers}Hello${end}boo\r\n.\r\n`, 'latin1')) {
        client.send(Buffer.from([byte]));
      }
      expect(await client.reply()).toMatch(end === '\r\n..\r\n' ? /^250/ : /^550/);
      expect(client.unread).toBe('');
      client.drop();
    }
  });

  it('causes no mail with a bare CR or LF, and no second message', async () => {
    await program.arrived(({ content }) => content.includes('boo'));

    expect(program.sink.messages.length).toBeGreaterThan(0);
    for (const { content, recipients } of program.sink.messages) {
      expect(recipients).toEqual(['b@sink.test']);
      expect(/(?<!\r)\n|\r(?!\n)/.test(content.toString('latin1'))).toBe(false);
      expect(content.toString('latin1')).toMatch(/^Subject: outer\r$/m);
    }
  });

  it('one dot is removed from each line that starts with a dot, and all other dots arrive', async () => {
    const client = await atData();
    client.send(`${headers}..\r\n...two\r\n.\r\n`);
    expect(await client.reply()).toMatch(/^250/);
    client.drop();

    const { content } = await program.arrived((message) => message.content.includes('two\r\n'));
    expect(content.toString('latin1')).toMatch(/\r\n\r\n\.\r\n\.\.two\r\n$/);
  });

  it('commands before TLS do not run after it (RFC 3207 section 6)', async () => {
    const client = await SmtpDialogue.open(program.port('starttls'));
    await client.ask('EHLO client.test');
    client.send('STARTTLS\r\nRSET\r\nNOOP\r\n');

    expect(await client.reply()).toMatch(/^220/);
    expect(client.unread).toBe('');
    client.drop();
  });
});
