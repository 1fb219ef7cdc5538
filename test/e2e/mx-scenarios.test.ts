import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport } from '#delivery';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { MxDeliveryTransport } from '#mx';
import { FakeClock } from '../support/fakes/fake-clock.js';
import { heapInUse } from '../support/runner/heap.js';
import { Expected, Scenario, scenarios } from '../support/builders/mx-scenarios.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { ScriptedSmtpServer } from '../support/servers/scripted-smtp-server.js';
import { until } from '../support/runner/until.js';

/** Timeout of a phase: long enough for a busy machine, short enough that all silent servers together take seconds. */
const phaseTimeoutMs = 6_000;
const phases = ['banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'dataInitiation', 'dataBlock', 'dataTermination'];
const timeouts = Object.fromEntries([...phases.map((phase) => [phase, phaseTimeoutMs]), ['quit', 50]]);
/** Bytes that a server can send before the program hangs up. Most of them are in buffers of the operating system. */
const maxSentBytes = 16 * 1024 * 1024;
/** Growth of the heap, including that of the test's own servers. */
const maxHeapGrowthBytes = 64 * 1024 * 1024;

interface Row extends Record<string, unknown> {
  readonly lane: string;
  readonly dueAt: Date;
}

interface TracedRecipient {
  readonly status: string;
  readonly next_attempt_at: string | null;
  readonly held_by: { readonly kind: string } | null;
  readonly attempts: readonly Record<string, unknown>[];
  readonly events: readonly {
    readonly type: string;
    readonly data: { bounce?: { type: string; subType: string } } | null;
  }[];
}

const clock = new FakeClock();
const dns = new InMemoryDnsResolver();
const servers: (ScriptedSmtpServer | undefined)[] = [];
const recipients: TracedRecipient[] = [];
let port = 0;
let program: TestProgram;
let queued: Map<string, Date>;
let paused: Set<string>;
let suppressed: Set<string>;
let heapBefore: number;
let heapAfter: number;

const addressOf = (index: number): string => `127.1.${index >> 7}.${(index & 127) + 1}`;
const laneOf = (index: number): string => `us-east-1/default/mx:s${index}.test`;

async function query<T extends Record<string, unknown>>(text: string): Promise<T[]> {
  return program.postrider.app.get(Database).query<T>({ text });
}

beforeAll(async () => {
  for (const [index, { script }] of scenarios.entries()) {
    const host = addressOf(index);
    const server = script === undefined ? undefined : await ScriptedSmtpServer.listen(script, { host, port });
    port = server?.port ?? port;
    servers.push(server);
    dns.set(`s${index}.test`, { mx: [{ exchange: `mx.s${index}.test`, preference: 10 }] });
    dns.set(`mx.s${index}.test`, { a: [host] });
  }
  const options = { port, heloName: 'client.test', allowPrivateDestinations: true, backOff: 1, timeouts };
  const adapters = new Adapters().use(Clock, clock).use(DnsResolver, dns);
  adapters.use(DeliveryTransport, new MxDeliveryTransport(dns, options));
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '100000' }, adapters);
  heapBefore = heapInUse();
  // From here on the clock stands still: deferred mail comes due long after the last check.
  clock.advance(Date.now() - clock.now().getTime());
  const ids = await sendAll();
  await until(async () => (await query('SELECT 1 FROM delivery_attempts')).length >= scenarios.length, 120_000);
  for (const id of ids) recipients.push(await recipientOf(id));
  const rows = await query<Row>(`SELECT lane, due_at AS "dueAt" FROM outbound_queue`);
  queued = new Map(rows.map(({ lane, dueAt }) => [lane, dueAt]));
  paused = new Set((await query<{ lane: string }>('SELECT lane FROM lane_pauses')).map(({ lane }) => lane));
  suppressed = new Set((await query<{ email: string }>('SELECT email FROM suppressions')).map(({ email }) => email));
  heapAfter = heapInUse();
}, 240_000);

afterAll(async () => {
  for (const server of servers) await server?.close();
  await program.stop();
});

/** Sends batches: single requests would take longer than all the deliveries. */
async function sendAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < scenarios.length; from += 50) {
    const emails = scenarios.slice(from, from + 50).map((scenario, at) => emailFor(scenario, from + at));
    const { data, error } = await program.resend.batch.send(emails);
    expect(error).toBeNull();
    ids.push(...(data?.data ?? []).map(({ id }) => id));
  }
  return ids;
}

function emailFor({ name, isLarge }: Scenario, index: number) {
  const text = isLarge === true ? `${'x'.repeat(62)}\n`.repeat(150_000) : 'Hi';
  return { from: testSender, to: `ann@s${index}.test`, subject: name, text };
}

async function recipientOf(id: string): Promise<TracedRecipient> {
  const trace = (await (await program.request(`/emails/${id}/trace`)).json()) as { recipients: TracedRecipient[] };
  expect(trace.recipients).toHaveLength(1);
  return trace.recipients[0] as TracedRecipient;
}

function partsOf(reply: string | undefined): object | null {
  if (reply === undefined) return null;
  const [, code, enhanced, text] = /^(\d{3}) (?:(\d\.\d+\.\d+) )?(.*)$/s.exec(reply) as unknown as string[];
  return { code: Number(code), enhanced_code: enhanced ?? null, text: expect.stringMatching(startsWith(text ?? '')) };
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.trimEnd().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

const lastEvents = { delivered: 'email.delivered', deferred: 'email.delivery_delayed', bounced: 'email.bounced' };
const statuses = { delivered: 'delivered', deferred: 'delayed', bounced: 'bounced' };

function attemptOf(expected: Expected, index: number): Record<string, unknown> {
  const { outcome, reply, reaches } = expected;
  return {
    attempt: 1,
    started_at: clock.now().toISOString(),
    outcome,
    outcome_unknown: expected.outcomeUnknown === true,
    category: expected.category ?? null,
    host: `mx.s${index}.test`,
    address: reaches === 'host' ? null : `${addressOf(index)}:${port}`,
    reply: partsOf(reply),
    timings_ms: expect.objectContaining({ dns: expect.any(Number), connect: expect.any(Number) }),
  };
}

describe.each(scenarios.map((scenario, index) => ({ ...scenario, index })))('$name', ({ index, expected }) => {
  it(`ends as ${expected.outcome}, and the trace says so`, () => {
    const { status, attempts, events } = recipients[index] as TracedRecipient;
    expect(attempts).toHaveLength(1);
    const [attempt] = attempts;
    expect({ ...attempt, started_at: new Date(attempt?.started_at as string).toISOString() }).toMatchObject(
      attemptOf(expected, index),
    );
    const tls = attempt?.tls as {
      readonly protocol?: string;
      readonly authorized: boolean;
      readonly plaintext_reason: string | null;
    } | null;
    const isEncrypted = /^TLSv1/.test(tls?.protocol ?? '');
    expect(isEncrypted ? { authorized: tls?.authorized } : undefined).toEqual(expected.tls);
    expect(isEncrypted ? 'TLS' : (tls?.plaintext_reason ?? 'TLS')).toContain('TLS');
    if (expected.outcome === 'delivered') expect(attempt?.reason).toBeNull();
    else expect(attempt?.reason).toMatch(expected.reason ?? startsWith(`mx.s${index}.test said: ${expected.reply}`));

    expect(status).toBe(statuses[expected.outcome]);
    expect(events.map(({ type }) => type)).toEqual(['email.sent', lastEvents[expected.outcome]]);
    const bounce = events[1]?.data?.bounce;
    expect(bounce === undefined ? undefined : `${bounce.type} ${bounce.subType}`).toBe(expected.bounce);
  });

  it(expected.outcome === 'deferred' ? 'is tried again about a minute later' : 'is not tried again', () => {
    const { next_attempt_at, held_by } = recipients[index] as TracedRecipient;
    const dueAt = queued.get(laneOf(index));
    if (expected.outcome === 'deferred') {
      const wait = (dueAt?.getTime() ?? NaN) - clock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(48_000);
      expect(wait).toBeLessThanOrEqual(72_000);
      expect(new Date(next_attempt_at ?? '')).toEqual(dueAt);
      expect(held_by).toMatchObject({ kind: 'retry_schedule' });
    } else {
      expect([dueAt, next_attempt_at, held_by]).toEqual([undefined, null, null]);
    }
    expect(paused.has(laneOf(index))).toBe(expected.isSiteTrouble === true);
    expect(suppressed.has(`ann@s${index}.test`)).toBe(expected.bounce === 'Permanent NoEmail');
  });
});

it('no server made the program read without end, or keep what it read', () => {
  for (const server of servers) expect(server?.bytesSent ?? 0).toBeLessThan(maxSentBytes);
  expect(heapAfter - heapBefore).toBeLessThan(maxHeapGrowthBytes);
});
