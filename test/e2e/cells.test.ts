import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CellInstallation, receivers, TestCell } from '../support/programs/cell-installation.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

const [us, eu, sa] = ['us-east-1', 'eu-west-1', 'sa-east-1'] as const;
const domains = { [us]: 'us.test', [eu]: 'eu.test', [sa]: 'sa.test' };

interface Shown {
  readonly id: string;
  readonly subject: string;
  readonly last_event: string;
}

let installation: CellInstallation;
let cells: Readonly<Record<keyof typeof domains, TestCell>>;

beforeAll(async () => {
  installation = await CellInstallation.start([us, eu, sa]);
  cells = { [us]: installation.cell(us), [eu]: installation.cell(eu), [sa]: installation.cell(sa) };
  for (const [region, name] of Object.entries(domains)) await installation.addDomain(name, region);
}, 180_000);

afterAll(() => installation?.stop());

let sent = 0;
const mailFrom = (region: keyof typeof domains, subject = `Mail ${++sent}`): Record<string, unknown> => ({
  from: `Acme <hello@${domains[region]}>`,
  to: [`reader${sent}@${receivers}`],
  subject,
  text: 'Hello',
});
const send = (through: TestCell, body: unknown, key?: string): Promise<{ id: string }> =>
  through.json('/emails', { method: 'POST', body, headers: key === undefined ? {} : { 'idempotency-key': key } });
const delivered = (through: TestCell, id: string): Promise<Shown> =>
  until(async () => {
    const shown = await through.json<Shown>(`/emails/${id}`);
    return shown.last_event === 'delivered' && shown;
  });
const countIn = async (cell: TestCell, id: string): Promise<number> =>
  (await query(cell, 'SELECT FROM emails WHERE id = $1', [id])).length;

async function query(cell: TestCell, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: cell.postgres.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

it('a domain that was made in one cell sends through another, and its mail is read in a third', async () => {
  const { id } = await send(cells[eu], mailFrom(us));
  expect((await delivered(cells[sa], id)).id).toBe(id);
  for (const part of ['events', 'trace', 'attachments', 'insights']) {
    expect(await cells[sa].json(`/emails/${id}/${part}`)).toBeDefined();
  }
});

it('mail is stored by the cell of its region alone, with its attachments', async () => {
  const content = Buffer.alloc(300_000, 'postrider').toString('base64');
  const html = `<p>${'Grüße '.repeat(20_000)}</p>`;
  const { id } = await send(cells[us], { ...mailFrom(eu), html, attachments: [{ filename: 'a.bin', content }] });
  expect([await countIn(cells[us], id), await countIn(cells[eu], id), await countIn(cells[sa], id)]).toEqual([0, 1, 0]);
  expect((await cells[sa].json<{ html: string }>(`/emails/${id}`)).html).toBe(html);
  const [attachment] = (await cells[sa].json<{ data: { id: string }[] }>(`/emails/${id}/attachments`)).data;
  const { download_url: url } = await cells[sa].json<{ download_url: string }>(
    `/emails/${id}/attachments/${attachment?.id}`,
  );
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64')).toBe(content);
  // Not even in the log of requests.
  const logs = await query(cells[us], `SELECT FROM request_logs WHERE request_body::text LIKE '%a.bin%'`);
  expect(logs).toEqual([]);
});

it('an idempotency key holds whichever cell is asked', async () => {
  const mail = mailFrom(sa);
  const first = await send(cells[us], mail, 'one');
  for (const cell of Object.values(cells)) expect(await send(cell, mail, 'one')).toEqual(first);
  const other = await cells[eu].request('/emails', {
    method: 'POST',
    body: { ...mail, subject: 'Other' },
    headers: { 'idempotency-key': 'one' },
  });
  expect(other.status).toBe(409);
});

it('a batch is accepted by one cell, and refused where its senders are in several', async () => {
  const accepted = await cells[us].json<{ data: { id: string }[] }>('/emails/batch', {
    method: 'POST',
    body: [mailFrom(eu), mailFrom(eu)],
  });
  for (const { id } of accepted.data) expect(await countIn(cells[eu], id)).toBe(1);
  const mixed = await cells[us].request('/emails/batch', { method: 'POST', body: [mailFrom(eu), mailFrom(us)] });
  expect([mixed.status, await mixed.json()]).toMatchObject([422, { message: expect.stringContaining('one region') }]);
});

it('lists have the mail of all cells, page by page, whichever cell is asked', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) {
    const region = [us, eu, sa][n % 3] as keyof typeof domains;
    ids.unshift((await send(cells[region], mailFrom(region, `Listed ${n}`))).id);
  }
  for (const cell of Object.values(cells)) {
    const seen: string[] = [];
    let after = '';
    while (seen.length < 9) {
      const page = await cell.json<{ data: Shown[]; has_more: boolean }>(`/emails?limit=4${after}`);
      seen.push(...page.data.map(({ id }) => id));
      after = `&after=${seen.at(-1)}`;
      expect(page.has_more).toBe(true);
    }
    expect(seen.slice(0, 9)).toEqual(ids);
    const back = await cell.json<{ data: Shown[] }>(`/emails?limit=3&before=${ids[4]}`);
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 4));
    const found = await cell.json<{ data: Shown[] }>('/emails?subject=Listed&limit=20');
    expect(found.data.map(({ id }) => id)).toEqual(ids);
  }
});

it('a scheduled email is rescheduled and canceled through any cell', async () => {
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await send(cells[us], { ...mailFrom(sa), scheduled_at: scheduledAt });
  const later = { scheduled_at: new Date(Date.now() + 7_200_000).toISOString() };
  await cells[eu].json(`/emails/${id}`, { method: 'PATCH', body: later });
  await cells[us].json(`/emails/${id}/cancel`, { method: 'POST' });
  expect((await cells[sa].json<Shown>(`/emails/${id}`)).last_event).toBe('canceled');
});

it('what all cells share is changed through any of them', async () => {
  const key = await cells[eu].json<{ id: string; token: string }>('/api-keys', { method: 'POST', body: { name: 'k' } });
  const withKey = { headers: { authorization: `Bearer ${key.token}` } };
  await until(async () => (await cells[sa].request('/emails', withKey)).ok);
  await cells[sa].json(`/api-keys/${key.id}`, { method: 'DELETE' });
  for (const cell of Object.values(cells)) {
    await until(async () => (await cell.json<unknown>('/emails', withKey).catch(() => undefined)) === undefined);
    expect(await (await cell.request('/emails', withKey)).json()).toMatchObject({ message: 'API key is invalid' });
  }
});

it('an address that bounces in one cell is suppressed in all, until it is removed through any', async () => {
  const email = `gone@${receivers}`;
  await cells[us].json('/suppressions', { method: 'POST', body: { email } });
  const isSuppressed = async (cell: TestCell): Promise<boolean> =>
    (await query(cell, 'SELECT FROM suppressions WHERE email = $1', [email])).length === 1;
  for (const cell of Object.values(cells)) await until(() => isSuppressed(cell));
  await cells[sa].json(`/suppressions/${encodeURIComponent(email)}`, { method: 'DELETE' });
  for (const cell of Object.values(cells)) await until(async () => !(await isSuppressed(cell)));
});

it('a request that claims to come from a cell is treated like any other', async () => {
  const forged = Buffer.from(JSON.stringify({ at: Date.now(), principal: { teamId: 'x' } })).toString('base64url');
  const headers = { 'x-postrider-cell': `${forged}.${'A'.repeat(43)}` };
  expect((await fetch(`${cells[eu].url}/emails`, { headers })).status).toBe(401);
  const { id } = await cells[eu].json<{ id: string }>('/emails', { method: 'POST', body: mailFrom(us), headers });
  expect(await countIn(cells[us], id)).toBe(1);
});

it('no client chooses the host that a request is passed on to', async () => {
  const socket = connect(cells[eu].port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write('GET http://other.test/domains HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 4/);
});

it('a cell that never answers holds up nobody: lists lack its mail and say so', async () => {
  const pid = cells[sa].program?.pid ?? NaN;
  process.kill(pid, 'SIGSTOP');
  try {
    const startedAt = performance.now();
    const list = await cells[eu].request('/emails');
    expect([list.status, list.headers.get('x-postrider-missing-regions')]).toEqual([200, sa]);
    const { id } = await send(cells[us], mailFrom(eu));
    expect((await cells[us].json<Shown>(`/emails/${id}`, { signal: AbortSignal.timeout(4_000) })).id).toBe(id);
    const unknown = await cells[eu].request('/emails/0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57');
    expect(unknown.status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(stretched(30_000));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

it('an id that no cell has is not found', async () => {
  const response = await cells[eu].request('/emails/0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57');
  expect([response.status, await response.json()]).toMatchObject([404, { name: 'not_found' }]);
});
