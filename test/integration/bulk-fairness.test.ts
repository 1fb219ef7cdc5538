import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { SendShared } from '#emails';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { until } from '../support/runner/until.js';

/** Takes 50 messages a second, so that 5,000 bulk emails wait for minutes. */
const rules = { limits: [{ hosts: 'mx.site.test', messages_per_minute: 3_000 }] };
let directory: string;
let sink: SmtpSink;
let program: TestProgram;
let teams: string[];
let senders: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'postrider-bulk-'));
  await writeFile(join(directory, 'routes.json'), JSON.stringify(rules));
  sink = await SmtpSink.listen({ host: '127.0.0.2', keep: true });
  const dns = new InMemoryDnsResolver();
  dns.set('site.test', { mx: [{ exchange: 'mx.site.test', preference: 10 }] });
  dns.set('mx.site.test', { a: ['127.0.0.2'] });
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
      ROUTES_FILE: join(directory, 'routes.json'),
      SHUTDOWN_SECONDS: '1',
    },
    new Adapters().use(DnsResolver, dns),
  );
  const { app } = program.postrider;
  const [team] = await app.get(Database).query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const second = await addSecondTeam(app);
  senders = { [team?.id ?? '']: testSender, [second.id]: 'news@second.test' };
  teams = [team?.id ?? '', second.id];
  await program.request('/domains', {
    method: 'POST',
    headers: { authorization: `Bearer ${second.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'second.test' }),
  });
  // Its mail goes in the same lane.
  await app.get(Database).execute({
    text: `UPDATE domains SET sandbox = true, region = (SELECT region FROM domains WHERE sandbox) WHERE name = 'second.test'`,
  });
});

afterAll(async () => {
  await program.stop();
  await Promise.all([sink.close(), rm(directory, { recursive: true })]);
});

/** Accepts bulk mail, a thousand emails at a time, and returns the last id. */
async function sendBulk(teamId: string, name: string, thousands: number): Promise<string> {
  const sendShared = program.postrider.app.get(SendShared, { strict: false });
  const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
  const content = { text: 'News' };
  let last = '';
  for (let n = 0; n < thousands; n++) {
    const recipients = Array.from({ length: 1_000 }, (_, at) => ({ to: `${name}-${n}-${at}@site.test`, values: {} }));
    const { ids } = await sendShared.send(owner, {
      from: senders[teamId] ?? '',
      subject: 'News',
      content,
      recipients,
      isBulk: true,
    });
    last = ids.at(-1) ?? '';
  }
  return last;
}

async function sendSingle(count: number, name: string): Promise<void> {
  const emails = Array.from({ length: count }, (_, at) => ({
    from: testSender,
    to: `${name}-${at}@site.test`,
    subject: 'Hello',
    text: 'Hi',
  }));
  expect((await program.resend.batch.send(emails)).data?.data).toHaveLength(count);
}

/** To whom the messages that have arrived were, by the first part of the address. */
function arrived(from = 0): string[] {
  return sink.messages.slice(from).map(({ recipients }) => recipients[0]?.split('-')[0] ?? '');
}

function count(names: readonly string[], name: string): number {
  return names.filter((arrivedName) => arrivedName === name).length;
}

it('5,000 bulk emails keep a single one waiting for nothing, are not starved by others, and two teams share their turn', async () => {
  await sendBulk(teams[0] ?? '', 'early', 3);
  const last = await sendBulk(teams[1] ?? '', 'late', 2);

  const before = sink.count;
  await sendSingle(1, 'one');
  await sink.waitFor(() => arrived(before).includes('one'));
  // What was on its way when it came, in five connections, and what one second of the limit lets through meanwhile.
  expect(arrived(before).indexOf('one')).toBeLessThan(100);

  const single = sink.count;
  await sendSingle(100, 'single');
  await sendSingle(100, 'single');
  const hold = await until(async () => {
    const response = await program.request(`/emails/${last}/trace`, {
      headers: { authorization: `Bearer ${secondKey()}` },
    });
    const { recipients } = (await response.json()) as { recipients: { held_by: { kind: string; reason: string } }[] };
    return recipients[0]?.held_by.kind === 'transactional_first' && recipients[0].held_by;
  });
  expect(hold.reason).toMatch(/^Bulk mail waits behind the transactional mail of lane .*site\.test: \d+ before it$/);
  await sink.waitFor(() => count(arrived(single), 'single') === 200);
  const beside = arrived(single).slice(arrived(single).indexOf('single'));
  const bulk = beside.filter((name) => name !== 'single');
  expect(bulk.length / beside.length).toBeGreaterThan(0.05);
  expect(bulk.length / beside.length).toBeLessThan(0.5);

  // What the worker had claimed before the second team came is before its first turn.
  await sink.waitFor(() => arrived().includes('late'));
  const together = arrived().indexOf('late');
  const bulkSince = (): string[] => arrived(together).filter((name) => name === 'early' || name === 'late');
  await sink.waitFor(() => bulkSince().length >= 100);
  expect(count(bulkSince(), 'early')).toBeGreaterThan(30);
  expect(count(bulkSince(), 'late')).toBeGreaterThan(30);
});

function secondKey(): string {
  return `re_second_${(teams[1] ?? '').replaceAll('-', '')}`;
}
