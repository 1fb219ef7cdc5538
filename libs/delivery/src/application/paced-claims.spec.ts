import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { UnpacedSenders } from '../../../../test/support/fakes/unpaced-senders.js';
import { ClaimedRecipient } from '../domain/attempt.js';
import { PacedLane, pacedLaneName, pacedLaneOf } from '../domain/lane-name.js';
import { PacedClaims } from './lane-window.js';
import { DeliveryQueue, MovedSender } from './ports/delivery-queue.port.js';

const [slowDomain, otherDomain, teamId] = [newId(), newId(), newId()];
const ordinary = 'eu-west-1/default/mx:gmail.com';
const bulkLane: PacedLane = { domainId: slowDomain, provider: 'google', kind: 'bulk' };
const allLane: PacedLane = { domainId: slowDomain, provider: 'google', kind: 'all' };

/** Senders of which one is slowed, with what may still go. */
class SlowedDomain extends UnpacedSenders {
  left = 0;
  readonly taken: number[] = [];
  readonly given: number[] = [];
  isSlowed = true;
  sharesPace = false;

  override isShared(): boolean {
    return this.sharesPace;
  }

  override pacedAmong(claimed: readonly ClaimedRecipient[]): ReturnType<UnpacedSenders['pacedAmong']> {
    const slowed = claimed.filter(({ domainId }) => this.isSlowed && domainId === slowDomain);
    if (slowed.length === 0) return undefined;
    return Promise.resolve(
      new Map(slowed.map((recipient) => [recipient, recipient.isBulk === true ? bulkLane : allLane])),
    );
  }

  override mayGo(): boolean {
    return this.left > 0;
  }

  override async take(_lane: PacedLane, wanted: number): Promise<number> {
    const taken = Math.min(this.left, wanted);
    this.left -= taken;
    this.taken.push(taken);
    return taken;
  }

  override async giveBack(_lane: PacedLane, count: number): Promise<void> {
    this.given.push(count);
  }
}

let due: ClaimedRecipient[];
let moved: string[];
let movedWaiting: MovedSender[];
let claimedWith: number[];
let dueLanes: string[];
let pace: SlowedDomain;
let claims: PacedClaims;

beforeEach(() => {
  due = [];
  moved = [];
  movedWaiting = [];
  claimedWith = [];
  dueLanes = [];
  pace = new SlowedDomain();
  const take = (limit: number): ClaimedRecipient[] => {
    claimedWith.push(limit);
    return due.splice(0, limit);
  };
  const queue = {
    claim: async (_lane: string, _worker: string, limit: number) => ({ claimed: take(limit), isBulkDue: true }),
    claimBulk: async (_lane: string, _worker: string, limit: number) => ({ claimed: take(limit), lookedAt: undefined }),
    claimInTurns: async () => ({ claimed: take(4), lookedAt: teamId }),
    isDue: async (lane: string) => dueLanes.includes(lane),
    move: async (_worker: string, moves: { to: string }[]) => void moved.push(...moves.map(({ to }) => to)),
    moveWaiting: async (_lane: string, sender: MovedSender) => void movedWaiting.push(sender),
  } as unknown as DeliveryQueue;
  claims = new PacedClaims(queue, pace);
});

function add(count: number, domainId: string, isBulk = false): void {
  for (let no = 0; no < count; no++) {
    const ids = { emailId: newId(), teamId, domainId, recipientNo: 0, size: 1, attempt: 1, lease: 1 };
    due.push({ ...ids, isBulk, address: `u${no}@Gmail.com`, queuedAt: new Date() });
  }
}

describe('an ordinary lane', () => {
  it('is claimed from as before where no sender is slowed', async () => {
    pace.isSlowed = false;
    add(3, slowDomain);
    expect((await claims.claim(ordinary, 'w', 16))?.claimed).toHaveLength(3);
    expect([moved, movedWaiting, pace.taken]).toEqual([[], [], []]);
    expect(claims.mayDrain(ordinary)).toBe(true);
  });

  it('gives only mail of senders that are not slowed, and moves the rest with what waits of it', async () => {
    add(2, slowDomain);
    add(1, otherDomain);
    const claim = await claims.claim(ordinary, 'w', 16);
    expect(claim?.claimed.map(({ domainId }) => domainId)).toEqual([otherDomain]);
    expect(moved).toEqual(Array.from({ length: 2 }, () => pacedLaneName(ordinary, allLane)));
    const sender = { domainId: slowDomain, teamId, isBulk: false, recipientDomain: 'Gmail.com' };
    expect(movedWaiting).toEqual([{ ...sender, to: pacedLaneName(ordinary, allLane) }]);
  });

  it('goes on claiming until it finds other mail, so that a slowed sender stands before nobody', async () => {
    add(10, slowDomain);
    add(2, otherDomain);
    expect((await claims.claim(ordinary, 'w', 4))?.claimed).toHaveLength(2);
    expect([moved.length, claimedWith]).toEqual([10, [4, 4, 4]]);
    add(5, slowDomain, true);
    add(1, otherDomain, true);
    expect((await claims.claimBulk(ordinary, 'w', 3, undefined))?.claimed).toHaveLength(1);
    add(9, slowDomain);
    add(1, otherDomain);
    expect((await claims.claimInTurns(ordinary, 'w', undefined))?.claimed).toHaveLength(1);
  });

  it('takes a break after some claims of which nothing is left', async () => {
    add(1_000, slowDomain);
    expect((await claims.claim(ordinary, 'w', 4))?.claimed).toEqual([]);
    expect(claimedWith).toHaveLength(20);
  });
});

describe('a paced lane', () => {
  const lane = pacedLaneName(ordinary, allLane);

  it('is claimed from as much as may go, and gives back what found no mail', async () => {
    pace.left = 10;
    add(7, slowDomain);
    expect((await claims.claim(lane, 'w', 128))?.claimed).toHaveLength(7);
    expect([claimedWith, pace.taken, pace.given]).toEqual([[10], [10], [3]]);
  });

  it('asks for numbers for which there are statements', async () => {
    pace.left = 100;
    add(200, slowDomain);
    expect((await claims.claim(lane, 'w', 256))?.claimed).toHaveLength(64);
    expect(pace.given).toEqual([36]);
  });

  it('is left alone while nothing may go', async () => {
    expect(claims.mayDrain(lane)).toBe(false);
    add(5, slowDomain);
    expect(await claims.claim(lane, 'w', 16)).toEqual({ claimed: [], isBulkDue: false });
    expect(claimedWith).toEqual([]);
  });

  it('of bulk mail has no transactional mail, and takes no turns', async () => {
    const ofBulk = pacedLaneName(ordinary, bulkLane);
    pace.left = 2;
    add(5, slowDomain, true);
    expect(await claims.claim(ofBulk, 'w', 16)).toEqual({ claimed: [], isBulkDue: true });
    expect((await claims.claimBulk(ofBulk, 'w', 128, undefined))?.claimed).toHaveLength(2);
    expect(await claims.claimInTurns(ofBulk, 'w', undefined)).toEqual({ claimed: [], lookedAt: undefined });
  });
});

describe('a sender whose mail shares one pace', () => {
  const ofBulk = pacedLaneName(ordinary, bulkLane);

  beforeEach(() => {
    pace.sharesPace = true;
    pace.left = 10;
    add(5, slowDomain, true);
  });

  it('sends bulk mail after its transactional mail, and what was taken for it is given back', async () => {
    dueLanes = [pacedLaneName(ordinary, allLane)];
    expect((await claims.claimBulk(ofBulk, 'w', 4, undefined))?.claimed).toEqual([]);
    expect([claimedWith, pace.given]).toEqual([[], [4]]);
  });

  it('sends bulk mail where no transactional mail is due', async () => {
    expect((await claims.claimBulk(ofBulk, 'w', 4, undefined))?.claimed).toHaveLength(4);
  });
});

it('mail to test addresses is not paced, because it goes nowhere', async () => {
  add(3, slowDomain);
  expect((await claims.claim('eu-west-1/default/test-addresses', 'w', 16))?.claimed).toHaveLength(3);
  expect(moved).toEqual([]);
});

it.each([
  [bulkLane, ordinary, `eu-west-1/default/paced:bulk:${slowDomain}:google`],
  [{ ...allLane, provider: 'example.net' }, 'us/acme/relay', `us/acme/paced:all:${slowDomain}:example.net`],
])('%j has a name that can be read again', (paced, lane, name) => {
  expect(pacedLaneName(lane, paced)).toBe(name);
  expect(pacedLaneOf(name)).toEqual(paced);
  expect(pacedLaneOf(lane)).toBeUndefined();
});
