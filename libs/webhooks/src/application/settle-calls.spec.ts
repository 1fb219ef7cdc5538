import { beforeEach, expect, it } from '@jest/globals';
import { newId, Notice, Notices, Transaction } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { healthy } from '../domain/failures.js';
import {
  CallBatch,
  CallLog,
  CallTally,
  EndpointState,
  FinishedCall,
  HealthChange,
  SettledBatch,
  SettledCall,
  StoredHealth,
} from './ports/webhook-calls.port.js';
import { SettleCalls } from './drain-endpoint.use-case.js';

const now = new Date('2026-11-23T12:00:00Z');
const webhookId = newId();
const dayMs = 86_400_000;

/** One endpoint. All calls that are settled together are one batch. */
class OneEndpoint extends CallLog {
  health: StoredHealth = { ...healthy, id: webhookId, status: 'enabled' };
  readonly written: SettledCall[] = [];
  readonly changes: HealthChange[] = [];
  isReset = false;
  private settleBatch!: (batch: CallBatch, transaction: Transaction) => Promise<SettledBatch>;

  inBatches(settle: (batch: CallBatch, transaction: Transaction) => Promise<SettledBatch>) {
    this.settleBatch = settle;
    return async (call: FinishedCall): Promise<EndpointState> => (await this.settleAll([call])).get(webhookId) ?? 'up';
  }

  async settleAll(calls: readonly FinishedCall[], uncounted = calls): Promise<ReadonlyMap<string, EndpointState>> {
    const batch = { calls: calls.map((call) => ({ call, attemptId: newId() })), uncounted, now };
    return (await new InMemoryUnitOfWork().run((transaction) => this.settleBatch(batch, transaction))).states;
  }

  async write(calls: readonly SettledCall[]): Promise<void> {
    this.written.push(...calls);
  }

  async count(tallies: readonly CallTally[]): Promise<void> {
    this.isReset ||= tallies.some(({ succeeded }) => succeeded > 0);
  }

  async lockHealth(): Promise<readonly StoredHealth[]> {
    return [this.health];
  }

  async changeHealth(change: HealthChange): Promise<void> {
    this.changes.push(change);
  }

  async describe() {
    return { endpoint: 'https://hooks.test/secret-path', teamId: 'team', teamName: 'Acme' };
  }
}

let log: OneEndpoint;
let notices: Notice[];
let calls: SettleCalls;

beforeEach(() => {
  log = new OneEndpoint();
  notices = [];
  calls = new SettleCalls(log, { announce: async (notice: Notice) => void notices.push(notice) } as unknown as Notices);
});

function call(status: number, fields: Partial<FinishedCall> = {}): FinishedCall {
  const source = { id: newId(), seq: 1 };
  const message = { id: newId(), webhookId, type: 'email.sent', source, createdAt: now, attempt: 0, round: 0 } as const;
  return { message, sentAt: now, result: { status, response: '', durationMs: 1 }, ...fields };
}

it('a success ends the message and resets the failures of its endpoint', async () => {
  expect(await calls.settle(call(200))).toBe('up');
  expect(log.written).toMatchObject([{ status: 'success', dueAt: undefined }]);
  expect([log.isReset, log.changes]).toEqual([true, []]);
});

it('a failure is tried again, and counts for the health of the endpoint', async () => {
  expect(await calls.settle(call(500))).toBe('up');
  expect(log.written[0]?.status).toBe('attempting');
  expect(log.written[0]?.dueAt?.getTime()).toBeGreaterThan(now.getTime());
  expect(log.changes).toMatchObject([{ after: { failures: 1, failingSince: now }, disabledReason: undefined }]);
});

it('one success outweighs all failures of the same batch', async () => {
  await log.settleAll([call(500), call(200), call(500)]);
  expect([log.isReset, log.changes]).toEqual([true, []]);
});

it('after several failures in a row the endpoint is down', async () => {
  const states = await log.settleAll(Array.from({ length: 8 }, () => call(0)));
  expect(states.get(webhookId)).toBe('down');
  expect(log.changes).toMatchObject([{ after: { failures: 8 } }]);
});

it('after days without a success the endpoint is disabled, and its team is told once', async () => {
  const failingSince = new Date(now.getTime() - 5 * dayMs);
  log.health = { ...log.health, failures: 100, failingSince, lastFailureAt: new Date(now.getTime() - dayMs / 2) };
  expect((await log.settleAll([call(500), call(503)])).get(webhookId)).toBe('disabled');
  expect(log.changes).toMatchObject([{ disabledReason: 'Every call failed for 5 days' }]);
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toContain('HTTP status 503');
  expect(notices[0]?.text).not.toContain('secret-path');
});

it('calls that were counted before, and messages that were not sent, do not count again', async () => {
  await log.settleAll([call(500)], []);
  await log.settleAll([call(0, { notCalled: 'not stored' })]);
  await log.settleAll([call(0, { notCalled: 'not wanted' })]);
  expect([log.isReset, log.changes]).toEqual([false, []]);
  expect(log.written.map(({ status }) => status)).toEqual(['attempting', 'failed', 'success']);
});
