import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId, WakeUps } from '#kernel';
import { ClaimedRecipient } from '../domain/attempt.js';
import { InMemoryDeliveryTransport } from '../infrastructure/transport/in-memory-delivery-transport.js';
import { DeliverEmail, LaneRun } from './deliver-email.js';
import { DrainLane, LaneNotAcquiredError } from './drain-lane.use-case.js';
import { LaneReports } from './lane-reports.js';
import { UnpacedSenders } from '../../../../test/support/fakes/unpaced-senders.js';
import { PacedClaims } from './lane-window.js';
import { RecheckBulk } from './recheck-bulk.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

const teamId = newId();

/** One lane: what is due in it, who has it and what was delivered. */
class Lane {
  readonly due: ClaimedRecipient[] = [];
  readonly bulkDue: ClaimedRecipient[] = [];
  readonly delivered: string[] = [];
  readonly returned: ClaimedRecipient[] = [];
  stillWanted = async (claimed: readonly ClaimedRecipient[]): Promise<readonly ClaimedRecipient[]> => claimed;
  readonly claims: ('next' | 'in turn' | 'bulk')[] = [];
  owner: string | undefined;
  isLost = false;
  isReported = false;
  take = async (worker: string): Promise<boolean> => {
    this.owner ??= worker;
    return this.owner === worker;
  };
  deliver = async (_recipient: ClaimedRecipient): Promise<void> => undefined;

  readonly queue = {
    acquireLane: (_lane: string, worker: string) => this.take(worker),
    releaseLane: async () => void (this.owner = undefined),
    returnUntried: async (_worker: string, claimed: ClaimedRecipient[]) => void this.returned.push(...claimed),
    claim: async (_lane: string, _worker: string, limit: number) => {
      const claimed = this.claimed('next', limit);
      return claimed && { claimed, isBulkDue: this.bulkDue.length > 0 };
    },
    claimBulk: async (_lane: string, _worker: string, limit: number) => {
      const claimed = this.claimed('bulk', limit, this.bulkDue);
      return claimed && { claimed, lookedAt: undefined };
    },
    claimInTurns: async () => {
      const claimed = this.claimed('in turn', 10);
      return claimed && { claimed, lookedAt: undefined };
    },
  } as unknown as DeliveryQueue;

  readonly deliverEmail = {
    deliver: async (recipients: readonly ClaimedRecipient[], run: LaneRun) => {
      run.window.open();
      for (const recipient of recipients) {
        await this.deliver(recipient);
        this.delivered.push(recipient.address);
      }
    },
  } as unknown as DeliverEmail;

  readonly reports = {
    open: () => void (this.isReported = true),
    close: () => void (this.isReported = false),
  } as unknown as LaneReports;

  add(count: number, isBulk = false, isProbe = false): void {
    const due = isBulk ? this.bulkDue : this.due;
    for (let n = 0; n < count; n++) {
      const ids = { emailId: newId(), teamId, domainId: newId(), recipientNo: 0 };
      const address = `${due.length + this.delivered.length}@${isBulk ? 'bulk' : 'sink'}.test`;
      due.push({ ...ids, address, isBulk, isProbe, size: 1, attempt: 1, lease: 1, queuedAt: new Date() });
    }
  }

  private claimed(
    kind: 'next' | 'in turn' | 'bulk',
    limit: number,
    due: ClaimedRecipient[] = this.due,
  ): ClaimedRecipient[] | undefined {
    this.claims.push(kind);
    return this.isLost ? undefined : due.splice(0, limit);
  }
}

let lane: Lane;
let wakeUps: WakeUps;
let started: number;

beforeEach(() => {
  jest.useFakeTimers();
  lane = new Lane();
  wakeUps = new WakeUps();
  started = 0;
});
afterEach(() => void jest.useRealTimers());

function begin(pace = new UnpacedSenders()): Promise<unknown> {
  const { queue, deliverEmail, reports } = lane;
  const recheck = { stillWanted: lane.stillWanted } as RecheckBulk;
  const claims = new PacedClaims(queue, pace);
  const drainLane = new DrainLane(queue, claims, deliverEmail, recheck, new InMemoryDeliveryTransport(), reports);
  return drainLane.drain('all', 'worker', wakeUps, () => void started++).catch((error: unknown) => error);
}

async function drained(): Promise<unknown> {
  const end = begin();
  await jest.advanceTimersByTimeAsync(5_000);
  return end;
}

it('delivers all that is due, then leaves the lane', async () => {
  lane.add(1_000);
  expect(await drained()).toBe('drained');
  expect(new Set(lane.delivered).size).toBe(1_000);
  expect([lane.owner, lane.isReported, started > 0]).toEqual([undefined, false, true]);
});

it('delivers what comes while it waits, as soon as it is told', async () => {
  const end = begin();
  await jest.advanceTimersByTimeAsync(500);
  lane.add(1);
  wakeUps.notify();
  await jest.advanceTimersByTimeAsync(100);
  expect(lane.delivered).toEqual(['0@sink.test']);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await end).toBe('drained');
});

it('where more is due than one claim takes, every second claim goes to the teams in turn', async () => {
  lane.add(1_000);
  await drained();
  const inTurn = lane.claims.flatMap((kind, at) => (kind === 'in turn' ? [at] : []));
  expect(inTurn.length).toBeGreaterThan(1);
  for (const at of inTurn) expect(lane.claims[at - 1]).toBe('next');
});

it('has started once it has claimed, even if the DNS does not say whether a sender is slowed', async () => {
  lane.add(1);
  const pace = new UnpacedSenders();
  pace.pacedAmong = () => new Promise(() => undefined);
  void begin(pace);
  await jest.advanceTimersByTimeAsync(100);
  expect([started > 0, lane.delivered]).toEqual([true, []]);
});

it('a lane that another worker has is left to it', async () => {
  lane.owner = 'other';
  lane.add(1);
  expect(await drained()).toBe('held by another');
  expect([lane.delivered, lane.owner, started]).toEqual([[], 'other', 0]);
});

it('says so where the lane could not be taken', async () => {
  lane.take = () => Promise.reject(new Error('the database is away'));
  const error = await drained();
  expect(error).toBeInstanceOf(LaneNotAcquiredError);
  expect((error as Error).cause).toEqual(new Error('the database is away'));
});

it('a lane that was lost is not given up, since it is another worker that has it', async () => {
  lane.isLost = true;
  expect(await drained()).toBe('drained');
  expect(lane.owner).toBe('worker');
});

it('told to stop, it claims nothing more and ends what is under way', async () => {
  lane.add(100);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  lane.deliver = () => held;
  let hasEnded = false;
  const end = begin().finally(() => (hasEnded = true));
  await jest.advanceTimersByTimeAsync(100);
  const left = lane.due.length;
  wakeUps.stop();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([hasEnded, lane.owner]).toEqual([false, 'worker']);
  release();
  await end;
  expect([lane.delivered.length, lane.due.length, lane.owner]).toEqual([100 - left, left, undefined]);
});

it.each(['transactional', 'bulk'])('claims nothing while a probe of %s mail is under way', async (kind) => {
  lane.add(1, kind === 'bulk', true);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  lane.deliver = () => held;
  const end = begin();
  await jest.advanceTimersByTimeAsync(100);
  const claims = lane.claims.length;
  lane.add(1, kind === 'bulk');
  for (let n = 0; n < 10; n++) {
    wakeUps.notify();
    await jest.advanceTimersByTimeAsync(100);
  }
  expect(lane.claims).toHaveLength(claims);
  expect(lane.claims.filter((each) => each === (kind === 'bulk' ? 'bulk' : 'next'))).toHaveLength(1);
  release();
  wakeUps.notify();
  await jest.advanceTimersByTimeAsync(5_000);
  expect([await end, lane.delivered.length]).toEqual(['drained', 2]);
});

it('throws what went wrong once nothing is under way any more, and keeps the lane', async () => {
  lane.add(4);
  lane.deliver = async ({ address }) => {
    if (address === '0@sink.test') throw new Error('cannot be written');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  expect(await drained()).toEqual(new Error('cannot be written'));
  expect(lane.delivered).toHaveLength(3);
  expect([lane.owner, lane.isReported]).toEqual(['worker', false]);
});

describe('bulk mail', () => {
  it('is delivered, and the lane is kept until it is', async () => {
    lane.add(1_000, true);
    lane.deliver = () => new Promise((resolve) => setTimeout(resolve, 1_000));
    const end = begin();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(lane.owner).toBe('worker');
    await jest.advanceTimersByTimeAsync(60_000);
    expect([await end, lane.delivered.length, lane.owner]).toEqual(['drained', 1_000, undefined]);
  });

  it('leaves room to transactional mail that comes while it fills its own', async () => {
    lane.add(5_000, true);
    const bulk = new Promise<void>(() => undefined);
    lane.deliver = ({ isBulk }) => (isBulk === true ? bulk : Promise.resolve());
    void begin();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([lane.bulkDue.length > 4_000, lane.delivered]).toEqual([true, []]);
    lane.add(1);
    wakeUps.notify();
    await jest.advanceTimersByTimeAsync(100);
    expect(lane.delivered).toEqual(['0@sink.test']);
  });

  it('is delivered to those only who still want it', async () => {
    lane.add(3, true);
    lane.stillWanted = async (claimed) => claimed.filter(({ address }) => address !== '1@bulk.test');
    expect(await drained()).toBe('drained');
    expect(lane.delivered).toEqual(['0@bulk.test', '2@bulk.test']);
  });

  it('goes back untried if nobody can be asked who still wants it', async () => {
    lane.add(3, true);
    lane.stillWanted = () => Promise.reject(new Error('the database is away'));
    expect(await drained()).toEqual(new Error('the database is away'));
    expect([lane.returned.length, lane.delivered]).toEqual([3, []]);
  });

  it('that becomes due at the end of its drain is claimed too', async () => {
    const end = begin();
    await jest.advanceTimersByTimeAsync(100);
    for (let n = 0; n < 20; n++) {
      lane.add(1, true);
      wakeUps.notify();
      await jest.advanceTimersByTimeAsync(n);
    }
    await jest.advanceTimersByTimeAsync(5_000);
    expect([await end, lane.delivered.length]).toEqual(['drained', 20]);
  });

  it('is not asked for while none is due', async () => {
    lane.add(1_000);
    await drained();
    expect(lane.claims).not.toContain('bulk');
  });

  it('ends with what went wrong in its deliveries', async () => {
    lane.add(1, true);
    lane.deliver = () => Promise.reject(new Error('cannot be written'));
    expect(await drained()).toEqual(new Error('cannot be written'));
    expect(lane.owner).toBe('worker');
  });
});
