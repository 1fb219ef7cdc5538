import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';
import { submissionApiKey, SubmissionProgram } from '../support/programs/submission-program.js';
import { until } from '../support/runner/until.js';

const headers = 'From: a@sandbox.postrider.test\r\nTo: b@sink.test\r\nSubject: x\r\n';
const message = `${headers}\r\nHello\r\n.\r\n`;

let program: SubmissionProgram;
let before: Record<string, number>;

beforeAll(async () => {
  program = await SubmissionProgram.start();
});
afterAll(() => program.stop());
beforeEach(async () => {
  before = await program.rows();
});

const loggedIn = (apiKey = submissionApiKey): Promise<SmtpDialogue> =>
  SmtpDialogue.loggedIn(program.port('tls'), apiKey);

async function atData(client: SmtpDialogue, recipients = ['b@sink.test']): Promise<void> {
  expect(await client.ask('MAIL FROM:<whoever@elsewhere.test>')).toMatch(/^250 2\.1\.0/);
  for (const recipient of recipients) expect(await client.ask(`RCPT TO:<${recipient}>`)).toMatch(/^250 2\.1\.5/);
  expect(await client.ask('DATA')).toMatch(/^354/);
}

async function addKey(permission: string, domainId: string | null): Promise<{ id: string; token: string }> {
  const database = program.postrider.app.get(Database);
  const id = newId();
  const token = `re_test_${id.replaceAll('-', '')}`;
  await database.execute({
    text: `INSERT INTO api_keys (id, team_id, name, permission, domain_id, token_hash, created_at)
           SELECT $1, id, 'Key', $2, $3, $4, now() FROM teams ORDER BY created_at LIMIT 1`,
    values: [id, permission, domainId, createHash('sha256').update(token).digest()],
  });
  return { id, token };
}

describe('a key with rules', () => {
  const withRules = async (rules: object): Promise<string> => {
    const body = JSON.stringify({ name: 'Agent', permission: 'sending_access', ...rules });
    const headers = { authorization: `Bearer ${submissionApiKey}` };
    const response = await fetch(`${program.postrider.url}/api-keys`, { method: 'POST', body, headers });
    return ((await response.json()) as { token: string }).token;
  };

  it('logs in from its networks only, and is told the rule', async () => {
    const client = await SmtpDialogue.openTls(program.port('tls'));
    await client.ask('EHLO client.test');
    const elsewhere = await withRules({ allowed_ips: ['203.0.113.0/24'] });
    expect(await client.logIn(elsewhere)).toMatch(/^535 5\.7\.1 .*refused from 127\.0\.0\.1: its rule `allowed_ips`/);
    expect(await client.logIn(await withRules({ allowed_ips: ['127.0.0.1'] }))).toMatch(/^235/);
    client.drop();
  });

  it('sends to its domains, and so many a day', async () => {
    const client = await loggedIn(await withRules({ allowed_recipient_domains: ['sink.test'], daily_limit: 1 }));
    await client.ask('MAIL FROM:<whoever@elsewhere.test>');
    expect(await client.ask('RCPT TO:<b@other.test>')).toMatch(/^550 5\.7\.1 .*`allowed_recipient_domains`/);
    expect(await client.ask('RCPT TO:<b@sink.test>')).toMatch(/^250/);
    expect(await client.ask('DATA')).toMatch(/^354/);
    client.send(message);
    expect(await client.reply()).toMatch(/^250/);
    await atData(client);
    client.send(message);
    expect(await client.reply()).toMatch(/^451 4\.7\.1 .*`daily_limit`: 1 recipients/);
    client.drop();
  });

  it('sends nothing if it may only draft', async () => {
    const client = await loggedIn(await withRules({ permission: 'full_access', only_drafts: true }));
    await atData(client);
    client.send(message);
    expect(await client.reply()).toMatch(/^550 5\.7\.1 .*`only_drafts`/);
    client.drop();
  });
});

describe('authentication: the server', () => {
  it('offers no AUTH before TLS, and accepts neither AUTH nor mail there', async () => {
    const client = await SmtpDialogue.open(program.port('starttls'));

    const features = await client.ask('EHLO client.test');
    expect(features).toContain('STARTTLS');
    expect(features).not.toContain('AUTH');
    expect(await client.ask('MAIL FROM:<a@b.test>')).toMatch(/^530 5\.7\.0 Must issue a STARTTLS/);
    expect(await client.logIn(submissionApiKey)).toMatch(/^538 5\.7\.11/);
    client.drop();
  });

  it('offers its extensions over TLS', async () => {
    const client = await SmtpDialogue.open(program.port('starttls'));
    await client.ask('EHLO client.test');
    await client.startTls();

    const features = await client.ask('EHLO client.test');

    for (const feature of ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'AUTH PLAIN LOGIN']) {
      expect(features).toContain(feature);
    }
    expect(features).toContain('SIZE 41943040');
    expect(await client.ask('MAIL FROM:<a@b.test>')).toMatch(/^530 5\.7\.0 Authentication required/);
    client.drop();
  });

  it('replies 535 5.7.8 to a wrong key or user name at AUTH, each time later', async () => {
    const client = await SmtpDialogue.openTls(program.port('tls'));
    await client.ask('EHLO client.test');

    const started = performance.now();
    expect(await client.logIn('re_wrong_0123456789abcdef')).toMatch(/^535 5\.7\.8/);
    expect(await client.logIn(submissionApiKey, 'somebody')).toMatch(/^535 5\.7\.8/);
    expect(await client.logIn('')).toMatch(/^535 5\.7\.8/);
    expect(performance.now() - started).toBeGreaterThan(650);
    expect(await client.logIn(submissionApiKey)).toMatch(/^235 2\.7\.0/);
    client.drop();
  });

  it('refuses a sender of an unknown domain with the text of the API', async () => {
    const client = await loggedIn();
    await atData(client);
    client.send(message.replace('a@sandbox.postrider.test', 'a@other.test'));

    expect(await client.reply()).toBe(
      '550 5.7.1 The other.test domain is not verified. Please add and verify your domain.',
    );
    client.drop();
    expect(await program.rows()).toEqual(before);
  });

  it("refuses a team that sends from another team's domain", async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const client = await loggedIn(apiKey);
    await atData(client);
    client.send(message);

    expect(await client.reply()).toMatch(/^550 5\.7\.1/);
    client.drop();
    expect(await program.rows()).toEqual(before);
  });

  it('accepts mail with a sending-only key, but not with one that is bound to another domain', async () => {
    const sending = await loggedIn((await addKey('sending_access', null)).token);
    await atData(sending);
    sending.send(message);
    expect(await sending.reply()).toMatch(/^250 2\.6\.0/);
    sending.drop();

    const bound = await loggedIn((await addKey('sending_access', newId())).token);
    await atData(bound);
    bound.send(message);
    expect(await bound.reply()).toMatch(/^550 5\.7\.1 This API key may send from one domain only/);
    bound.drop();
  });

  it('refuses mail once the key is deleted, even in the middle of a session', async () => {
    const { id, token } = await addKey('full_access', null);
    const client = await loggedIn(token);
    const database = program.postrider.app.get(Database);

    await database.execute({ text: 'DELETE FROM api_keys WHERE id = $1', values: [id] });
    await database.execute({ text: `SELECT pg_notify('postrider_broadcast', $1)`, values: [`api-keys:${id}`] });

    await until(async () => {
      const reply = await client.ask('MAIL FROM:<a@b.test>');
      await client.ask('RSET');
      return reply.startsWith('535 5.7.8');
    });
    client.drop();
  });
});

describe('messages and commands: the server', () => {
  it('takes addresses without brackets, and a name with blanks', async () => {
    const client = await SmtpDialogue.openTls(program.port('tls'));
    expect(await client.ask('EHLO Scanner in the hall')).toMatch(/^250/);
    expect(await client.logIn(submissionApiKey)).toMatch(/^235/);
    expect(await client.ask('MAIL FROM:a@sandbox.postrider.test SIZE=100')).toMatch(/^250 2\.1\.0/);
    expect(await client.ask('RCPT TO: b@sink.test')).toMatch(/^250 2\.1\.5/);
    expect(await client.ask('DATA')).toMatch(/^354/);
    client.send(message);
    expect(await client.reply()).toMatch(/^250/);
    expect(await client.ask('MAIL FROM:<a@sandbox.postrider.test')).toMatch(/^501/);
    client.drop();
  });

  it.each([
    ['no From field', 'To: b@sink.test\r\n'],
    ['two From fields', `${headers}From: c@sandbox.postrider.test\r\n`],
    ['two addresses in From', 'From: a@sandbox.postrider.test, b@sandbox.postrider.test\r\n'],
    ['an invalid From', 'From: somebody\r\n'],
    ['an invalid tag', `${headers}X-Postrider-Tag: nothing\r\n`],
    ['an invalid schedule', `${headers}X-Postrider-Scheduled-At: when it suits you\r\n`],
    ['a schedule in a zone that is not known', `${headers}X-Postrider-Scheduled-At: tomorrow at 9am Bergen\r\n`],
    ['a schedule too far ahead', `${headers}X-Postrider-Scheduled-At: 2999-01-01T00:00:00Z\r\n`],
  ])('refuses a header with %s', async (_, header) => {
    const client = await loggedIn();
    await atData(client);
    client.send(`${header}\r\nHello\r\n.\r\n`);

    expect(await client.reply()).toMatch(/^550 5\.6\.0/);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.drop();
    expect(await program.rows()).toEqual(before);
  });

  it('refuses a size that is too large before any of it is sent', async () => {
    const client = await loggedIn();

    expect(await client.ask('MAIL FROM:<a@b.test> SIZE=41943041')).toMatch(/^552 5\.3\.4/);
    expect(await client.ask('MAIL FROM:<a@b.test> SIZE=41943040')).toMatch(/^250/);
    client.drop();
  });

  it('refuses a message that turns out too large, and keeps the session', async () => {
    const client = await loggedIn();
    await atData(client);
    const line = `${'x'.repeat(1022)}\r\n`;
    client.send(`${headers}\r\n`);
    for (let sent = 0; sent <= 40 * 1024; sent += 1024) client.send(line.repeat(1024));
    client.send('.\r\n');

    expect(await client.reply()).toMatch(/^552 5\.3\.4 The email is larger than 40 MB/);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.drop();
    expect(await program.rows()).toEqual(before);
  });

  it('accepts 50 different recipients and replies 452 4.5.3 to the next one', async () => {
    const client = await loggedIn();
    await client.ask('MAIL FROM:<a@b.test>');
    for (let no = 1; no <= 50; no++) expect(await client.ask(`RCPT TO:<user${no}@sink.test>`)).toMatch(/^250/);

    expect(await client.ask('RCPT TO:<user51@sink.test>')).toMatch(/^452 4\.5\.3/);
    expect(await client.ask('RCPT TO:<USER1@sink.test>')).toMatch(/^250/);
    await client.ask('DATA');
    client.send(message);
    expect(await client.reply()).toMatch(/^250/);
    client.drop();
    expect((await program.rows()).recipients).toBe((before.recipients ?? 0) + 50);
  });

  it('refuses malformed recipients, and mail to example domains', async () => {
    const client = await loggedIn();
    await client.ask('MAIL FROM:<a@b.test>');

    expect(await client.ask('RCPT TO:<nobody>')).toMatch(/^501 5\.1\.3/);
    expect(await client.ask('RCPT TO:<a@[127.0.0.1]>')).toMatch(/^501 5\.1\.3/);
    expect(await client.ask('RCPT TO:<j\xc3\xb6rg@sink.test>')).toMatch(/^553 5\.6\.7/);
    expect(await client.ask('RCPT TO:<a@example.com>')).toMatch(/^250/);
    await client.ask('DATA');
    client.send(message);
    expect(await client.reply()).toMatch(/^550 5\.6\.0 Mail to example\.com cannot be delivered/);
    client.drop();
  });

  it('refuses commands out of order', async () => {
    const client = await loggedIn();

    expect(await client.ask('RCPT TO:<b@sink.test>')).toMatch(/^503 5\.5\.1/);
    expect(await client.ask('DATA')).toMatch(/^503 5\.5\.1/);
    expect(await client.ask('BDAT 10 LAST')).toMatch(/^500 5\.5\.2/);
    client.drop();
  });
});

describe('a connection that drops', () => {
  const phases: readonly [string, (client: SmtpDialogue) => Promise<void>][] = [
    ['after the login', async () => undefined],
    ['after MAIL', async (client) => void (await client.ask('MAIL FROM:<a@b.test>'))],
    ['after DATA', (client) => atData(client)],
    ['in the header', async (client) => atData(client).then(() => client.send(headers))],
    ['in the body', async (client) => atData(client).then(() => client.send(`${headers}\r\nHel`))],
    ['before the final dot', async (client) => atData(client).then(() => client.send(`${headers}\r\nHello\r\n`))],
    ['in the final dot', async (client) => atData(client).then(() => client.send(`${headers}\r\nHello\r\n.\r`))],
    [
      'in a large body, some of which is stored',
      async (client) => {
        await atData(client);
        client.send(`${headers}\r\n${`${'x'.repeat(98)}\r\n`.repeat(20_000)}`);
        await until(async () => (await program.rows()).message_contents !== before.message_contents);
      },
    ],
  ];

  it.each(phases)('%s leaves nothing behind', async (_, reachPhase) => {
    const client = await loggedIn();
    await reachPhase(client);

    client.drop();

    const other = await loggedIn();
    expect(await other.ask('NOOP')).toMatch(/^250/);
    other.drop();
    await until(async () => JSON.stringify(await program.rows()) === JSON.stringify(before));
  });
});
