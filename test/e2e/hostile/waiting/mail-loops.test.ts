import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { AutomationSteps } from '../../../support/builders/automation-steps.js';
import { SmtpDialogue } from '../../../support/clients/smtp-dialogue.js';
import { TestClock } from '../../../support/fakes/test-clock.js';
import { InboundProgram } from '../../../support/programs/inbound-program.js';
import { testApiKey } from '../../../support/programs/program.js';
import { addSecondTeam } from '../../../support/programs/second-team.js';
import type { ParsedJson } from '../../../support/runner/parsed-json.js';
import { until } from '../../../support/runner/until.js';

const dayMs = 24 * 3_600_000;
/** An attack that goes on beyond this many emails has no end. */
const endless = 25;
const clock = new TestClock();
let inbound: InboundProgram;
/** Two teams that answer the mail for their domains. */
let teams: {
  readonly client: Resend;
  readonly apiKey: string;
  readonly steps: AutomationSteps;
  readonly domain: string;
}[];

beforeAll(async () => {
  inbound = await InboundProgram.start({}, new Adapters().use(Clock, clock));
  // Only this author can prove who it is.
  inbound.dns.set('proven.test', { txt: ['v=spf1 ip4:127.0.0.1 -all'] });
  inbound.dns.set('_dmarc.proven.test', { txt: ['v=DMARC1; p=none'] });
  const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
  const second = new Resend(apiKey, { baseUrl: inbound.program.url });
  await inbound.addDomain('other.test', second);
  teams = [
    { client: inbound.resend, apiKey: testApiKey, domain: 'acme.test' },
    { client: second, apiKey, domain: 'other.test' },
  ].map((team) => ({ ...team, steps: new AutomationSteps(team.client) }));
});
afterAll(() => inbound.stop());

const rows = <Row extends object>(text: string): Promise<readonly Row[]> =>
  inbound.program.postrider.app.get(Database, { strict: false }).query<Row>({ text, values: [] });

/** An automation that answers received mail. */
async function answering(no: number, trigger: object = {}): Promise<string> {
  const { steps, domain, apiKey } = teams[no] as (typeof teams)[number];
  const template = await steps.template({ from: `Support <support@${domain}>` });
  const answer = { key: 'answer', type: 'send_email', config: { template: { id: template } } };
  const start = { key: 'start', type: 'trigger', config: { event_name: 'resend:email.received', ...trigger } };
  const connections = [{ from: 'start', to: 'answer' }];
  const body = JSON.stringify({ name: 'Answer', status: 'enabled', steps: [start, answer], connections });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await inbound.program.request('/automations', { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const stopped = (...ids: readonly string[]): Promise<unknown> =>
  Promise.all(ids.map((id) => Promise.all(teams.map(({ client }) => client.automations.stop(id)))));

/** Until nothing follows any more from the mail that came. Fails if it does not end. */
async function calm(): Promise<void> {
  const work = ['custom_event_occurrences', 'outbound_queue', `automation_runs WHERE status = 'running'`];
  await until(async () => {
    if ((await rows('SELECT FROM emails')).length > sentBefore + endless) throw new Error('The mail goes on and on');
    return (await rows(work.map((each) => `SELECT FROM ${each}`).join(' UNION ALL '))).length === 0;
  }, 60_000);
}

let sentBefore = 0;
/** The addresses that got an automatic answer to what `act` brings. */
async function answered(act: () => Promise<unknown>): Promise<readonly string[]> {
  const sent = (): Promise<readonly { address: string }[]> =>
    rows(`SELECT r.address FROM recipients r JOIN emails e ON e.id = r.email_id ORDER BY r.email_id`);
  sentBefore = (await sent()).length;
  await act();
  await calm();
  return (await sent()).slice(sentBefore).map(({ address }) => address);
}

const letter = (from: string, more = ''): string => `From: ${from}\nSubject: Help\n${more}\nHello\n`;
const proven = { from: 'ada@proven.test', to: 'support@acme.test' };

it('a mail between two teams that answer each other, whoever they are, is answered once', async () => {
  const both = [await answering(0, { author: 'any' }), await answering(1, { author: 'any' })];
  const first = letter('Support <support@other.test>');
  expect(await answered(() => inbound.received(first, { from: 'eve@evil.test', to: 'support@acme.test' }))).toEqual([
    'support@other.test',
  ]);
  await stopped(...both);
  const [answer] = await rows<{ id: string }>(`SELECT id FROM received_emails WHERE mail_from LIKE '%acme.test'`);
  expect(answer).toBeDefined();
}, 120_000);

it('a mail in the name of the own address of a team is answered once, and the answer is not', async () => {
  const id = await answering(0, { author: 'any' });
  const own = letter('support@acme.test');
  expect(await answered(() => inbound.received(own, { from: 'eve@evil.test', to: 'support@acme.test' }))).toEqual([
    'support@acme.test',
  ]);
  await stopped(id);
}, 120_000);

it('sixty mails in the name of a stranger become no mail to the stranger', async () => {
  const id = await answering(0);
  const forged = async (): Promise<void> => {
    for (let no = 0; no < 60; no++) await inbound.received(letter('victim@stranger.test'), { from: 'eve@evil.test' });
  };
  expect(await answered(forged)).toEqual([]);
  expect(await rows(`SELECT FROM contacts WHERE email = 'victim@stranger.test'`)).toEqual([]);
  await stopped(id);
}, 120_000);

it('an author who writes often is answered once a day, also where mail comes at once, and the runs say why', async () => {
  const id = await answering(0);
  const many = (): Promise<unknown> =>
    Promise.all(
      ['ada', 'Ada', 'ada+one', 'ADA+two'].map((name) => inbound.received(letter(`${name}@proven.test`), proven)),
    );
  expect((await answered(many)).map((address) => address.replace(/\+\w+/, '').toLowerCase())).toEqual([
    'ada@proven.test',
  ]);
  const [{ steps }] = teams as [(typeof teams)[number]];
  const runs = await steps.runsOf(id);
  expect(runs).toHaveLength(4);
  const reasons = await rows<ParsedJson>(
    `SELECT s.output FROM automation_run_steps s JOIN automation_runs r ON r.id = s.run_id
     WHERE r.automation_id = '${id}' AND s.status = 'skipped'`,
  );
  expect(reasons.map(({ output }) => (output as { reason: string }).reason)).toEqual(
    Array(3).fill('The author has had an answer from this automation within the last day.'),
  );
  expect(await answered(() => inbound.received(letter('ada@proven.test'), proven))).toEqual([]);
  clock.advance(dayMs);
  expect(await answered(() => inbound.received(letter('ada@proven.test'), proven))).toEqual(['ada@proven.test']);
  await stopped(id);
}, 120_000);

it.each([
  ['an automatic answer', 'Auto-Submitted: auto-replied\n', {}],
  ['an automatic mail', 'AUTO-SUBMITTED: (yes) auto-generated; owner=x\n', {}],
  ['bulk mail', 'Precedence: Bulk\n', {}],
  ['mail of a list', 'List-Id: <all.proven.test>\n', {}],
  ['mail of a list that one can leave', 'List-Unsubscribe: <mailto:x@proven.test>\n', {}],
  ['an answer of an old program', 'X-Autoreply: yes\n', {}],
  ['mail that wants no answer', 'X-Auto-Response-Suppress: OOF, AutoReply\n', {}],
  ['a report', 'MIME-Version: 1.0\nContent-Type: multipart/report; boundary=x\n', {}],
  ['mail with the null sender', '', { from: '' }],
  ['mail of an address that nobody reads', '', { author: 'No-Reply@proven.test' }],
  ['mail of a list owner', '', { author: 'owner-all@proven.test' }],
  ['mail whose envelope names a program', '', { from: 'MAILER-DAEMON@proven.test' }],
])(
  '%s is not answered, and its record says why',
  async (_, more, { from = 'bo@proven.test', author = 'bo@proven.test' }: { from?: string; author?: string }) => {
    const id = await answering(0, { author: 'any' });
    let received = '';
    const bring = async (): Promise<void> => {
      received = await inbound.received(letter(author, more), { from, to: 'support@acme.test' });
    };
    expect(await answered(bring)).toEqual([]);
    const { body } = await inbound.get(`/emails/receiving/${received}`);
    expect((body.verdicts as { automatic: string }).automatic).toMatch(/^[a-z-]+$/i);
    expect(await rows(`SELECT FROM automation_runs WHERE automation_id = '${id}'`)).toEqual([]);
    await stopped(id);
  },
);

it('an answer is marked, and names the mail that it answers', async () => {
  const id = await answering(0);
  const mail = letter('cy@proven.test', 'Message-ID: <question@proven.test>\n');
  await answered(() => inbound.received(mail, proven));
  const sent = inbound.program.transport.delivered.at(-1);
  const text = Buffer.from(sent?.content ?? '').toString();
  expect(text).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  expect(text).toMatch(/^X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply\r$/m);
  expect(text).toMatch(/^Precedence: auto_reply\r$/m);
  expect(text).toMatch(/^In-Reply-To: <question@proven.test>\r$/m);
  expect(text).toMatch(/^References: <question@proven.test>\r$/m);
  expect(text).toMatch(/^X-Postrider-Depth: 1; \S+\r$/m);
  await stopped(id);
});

const depthField = /^X-Postrider-Depth: (\S+ \S+)\r?$/m;

it('how often programs have answered each other is counted at each door, and ends', async () => {
  const id = await answering(0);
  await answered(() => inbound.received(letter('depth@proven.test'), proven));
  const text = Buffer.from(inbound.program.transport.delivered.at(-1)?.content ?? '').toString();
  let depth = depthField.exec(text)?.[1] ?? '';
  const first = depth;
  const sent = (): number => inbound.program.transport.delivered.length;
  const over = async (): Promise<{ readonly status: number; readonly message: string }> => {
    const body = JSON.stringify({
      from: 'support@acme.test',
      to: 'eve@away.test',
      subject: 'Again',
      text: 'Again',
      headers: { 'x-postrider-depth': depth },
    });
    const before = sent();
    const response = await inbound.program.request('/emails', { method: 'POST', body });
    const { message = '' } = (await response.json()) as { message?: string };
    if (response.status === 200) {
      await until(() => sent() > before);
      depth =
        depthField.exec(Buffer.from(inbound.program.transport.delivered.at(-1)?.content ?? '').toString())?.[1] ?? '';
    }
    return { status: response.status, message };
  };
  for (let count = 2; count <= 11; count++) {
    expect((await over()).status).toBe(200);
    expect(depth).toMatch(new RegExp(`^${count}; `));
  }
  const submitted = async (value: string): Promise<string> => {
    const port = inbound.program.postrider.smtp.listening.find(({ isMx }) => !isMx)?.port ?? 0;
    const client = await SmtpDialogue.open(port);
    try {
      await client.ask('EHLO client.test');
      await client.startTls();
      await client.ask('EHLO client.test');
      await client.logIn(testApiKey);
      for (const command of ['MAIL FROM:<support@acme.test>', 'RCPT TO:<eve@away.test>', 'DATA'])
        await client.ask(command);
      const header = `From: support@acme.test\r\nTo: eve@away.test\r\nSubject: Submitted\r\nX-Postrider-Depth: ${value}\r\n`;
      client.send(Buffer.from(`${header}\r\nHello\r\n.\r\n`));
      return await client.reply();
    } finally {
      client.drop();
    }
  };
  const before = sent();
  expect(await submitted(first)).toMatch(/^250/);
  await until(() => sent() > before);
  const relayed = Buffer.from(inbound.program.transport.delivered.at(-1)?.content ?? '').toString();
  expect(relayed.match(/^X-Postrider-Depth: .*$/gm)).toEqual([expect.stringMatching(/^X-Postrider-Depth: 2; /)]);
  expect(await submitted(depth)).toMatch(/^55\d .*answered each other/);
  expect(await over()).toMatchObject({ status: 422, message: expect.stringContaining('answered each other') });

  // A program that leaves out everything but this field.
  const last = letter('last@proven.test', `X-Postrider-Depth: ${depth}\n`);
  expect(await answered(() => inbound.received(last, proven))).toEqual([]);
  const [refused] = await rows<{ error: string }>(
    `SELECT s.error FROM automation_run_steps s JOIN automation_runs r ON r.id = s.run_id
     WHERE r.automation_id = '${id}' AND r.status = 'failed'`,
  );
  expect(refused?.error).toContain('looks like a circle');
  const strange = letter('strange@proven.test', 'X-Postrider-Depth: 11; forged\n');
  expect(await answered(() => inbound.received(strange, proven))).toEqual(['strange@proven.test']);
  await stopped(id);
}, 120_000);
