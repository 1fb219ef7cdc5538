import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { program, startDomains, stopDomains, verifiedDomain } from '../support/builders/domain-steps.js';

beforeAll(async () => {
  await startDomains();
  await verifiedDomain('acme.test');
});

afterAll(() => stopDomains());

const email = {
  from: 'Acme <hello@acme.test>',
  to: ['Ada <ada@customer.test>'],
  subject: 'Your order is on its way',
  html: '<p>Thank you for your order. It is on its way to you, and it will arrive on Friday before noon.</p>',
};

const tables = [
  ...['emails', 'recipients', 'email_events', 'message_contents', 'outbound_queue', 'scheduled_emails'],
  ...['sending_usage', 'idempotency_keys', 'audit_entries', 'webhook_messages', 'delivery_attempts'],
];

async function rowsOfAll(): Promise<Record<string, number>> {
  const counts = tables.map(async (table) => {
    const [row] = await program.postrider.app
      .get(Database)
      .query<{ n: number }>({ text: `SELECT count(*)::int AS n FROM ${table}` });
    return [table, row?.n ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

const dryRun = (fields: Record<string, unknown> = {}, key?: string) =>
  program.call('POST', '/emails/dry-run', { body: { ...email, ...fields }, ...(key === undefined ? {} : { key }) });

it('tells who would get an email, with its message and its insights, and leaves nothing behind', async () => {
  await program.call('POST', '/suppressions', { body: { email: 'gone@customer.test' } });
  const before = await rowsOfAll();
  const { status, body } = await dryRun({
    cc: 'gone@customer.test',
    bcc: ['ada@customer.test', 'grace@other.test'],
    attachments: [{ filename: 'a.txt', content: Buffer.from('file').toString('base64') }],
  });
  expect([status, body]).toMatchObject([
    200,
    {
      object: 'email_dry_run',
      from: 'Acme <hello@acme.test>',
      subject: 'Your order is on its way',
      scheduled_at: null,
      tls: 'opportunistic',
      recipients: [
        { address: 'ada@customer.test', kind: 'to', would_send: true, withheld_reason: null },
        { address: 'gone@customer.test', kind: 'cc', would_send: false, withheld_reason: 'manual' },
        { address: 'grace@other.test', kind: 'bcc', would_send: true, withheld_reason: null },
      ],
      summary: { problem: 0, warning: 0 },
    },
  ]);
  const source = body.source as string;
  expect(source).toMatch(/^DKIM-Signature: v=1;/);
  expect(source).toContain('\r\nSubject: Your order is on its way\r\n');
  expect(body.size).toBe(source.length);
  const findings = body.findings as unknown as { id: string; status: string }[];
  expect(findings.find(({ id }) => id === 'dkim_signature')?.status).toBe('good');
  expect(await rowsOfAll()).toEqual(before);
  expect(program.transport.delivered).toEqual([]);
});

it('renders a template with its values, and leaves nothing of it behind', async () => {
  const { body: template } = await program.call('POST', '/templates', {
    body: {
      name: 'Order',
      html: '<p>Order {{{ORDER}}} is on its way to you.</p>',
      subject: 'Order {{{ORDER}}}',
      variables: [{ key: 'ORDER', type: 'string' }],
    },
  });
  await program.call('POST', `/templates/${String(template.id)}/publish`);
  const before = await rowsOfAll();
  const { status, body } = await dryRun({
    html: undefined,
    subject: undefined,
    template: { id: template.id, variables: { ORDER: 'A-17' } },
  });
  expect([status, body.subject]).toEqual([200, 'Order A-17']);
  expect(body.source).toContain('Order A-17 is on its way');
  expect(await rowsOfAll()).toEqual(before);
});

it('asks for links if that is wanted, but never for private ones', async () => {
  const link = `${program.postrider.url}/health`;
  const statusOf = async (fields: object): Promise<[string, string]> => {
    const { body } = await dryRun({ html: `${email.html}<a href="${link}">More</a>`, ...fields });
    const findings = body.findings as unknown as { id: string; status: string; evidence: string }[];
    const { status, evidence } = findings.find(({ id }) => id === 'dead_links') ?? { status: '', evidence: '' };
    return [status, evidence];
  };
  expect(await statusOf({})).toEqual(['not_measured', 'The links have not been tested.']);
  expect(await statusOf({ check_links: true })).toEqual([
    'advice',
    `1 of 1 link could not be tested: "${link}" (its address is not public).`,
  ]);
  expect(await dryRun({ check_links: 'yes' })).toMatchObject({ status: 422 });
});

it('answers for the time of a scheduled email', async () => {
  const scheduled_at = new Date(program.clock.now().getTime() + 3_600_000).toISOString();
  const { body } = await dryRun({ scheduled_at });
  expect(new Date(body.scheduled_at as string).toISOString()).toBe(scheduled_at);
});

it.each<[string, Record<string, unknown>]>([
  ['a domain that is not verified', { from: 'a@elsewhere.test' }],
  ['no body', { html: undefined }],
  ['an address that is none', { to: 'nobody' }],
  ['an unknown template', { html: undefined, template: { id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31' } }],
  ['an unknown topic', { topic_id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31' }],
])('refuses %s as sending would', async (_, fields) => {
  const refused = await dryRun(fields);
  const sent = await program.call('POST', '/emails', { body: { ...email, ...fields } });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused).toEqual(sent);
});

/** Runs the command of a build. */
async function checkEmail(fields: Record<string, unknown>, ...options: readonly string[]): Promise<[number, string]> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-check-'));
  const file = join(directory, 'mail.json');
  await writeFile(file, JSON.stringify({ ...email, ...fields }));
  const child = spawn(process.execPath, ['dist/apps/server/src/main.js', 'check', file, ...options], {
    env: { PATH: process.env.PATH, POSTRIDER_URL: program.postrider.url, POSTRIDER_KEY: program.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  await rm(directory, { recursive: true });
  return [status, output];
}

it('tells a build by the status of a command what it has found', async () => {
  expect(await checkEmail({})).toEqual([0, expect.stringMatching(/^\d+ to improve, \d+ passed\n$|\n\d+ to improve/)]);
  const [status, output] = await checkEmail({ html: `${email.html}<form></form>` });
  expect([status, output]).toEqual([1, expect.stringContaining('problem  active_content')]);
  const [, junit] = await checkEmail({}, '--report', 'junit', '--links');
  expect(junit).toContain('<testcase classname="postrider" name="dkim_signature"/>');
  expect(await checkEmail({ from: 'a@elsewhere.test' })).toEqual([2, expect.stringMatching(/^Refused with 403: The /)]);
  expect(await checkEmail({}, '--report', 'pdf')).toEqual([
    2,
    expect.stringContaining('Usage: postrider check <file>'),
  ]);
});

it('is open to keys that send, for their domain, and to nobody else', async () => {
  const { data } = await program.resend.apiKeys.create({ name: 'sender', permission: 'sending_access' });
  expect((await dryRun({}, data?.token)).status).toBe(200);
  expect((await dryRun({}, program.otherKey)).status).toBe(403);
  expect((await dryRun({}, 're_nobody')).status).toBe(401);
});
