import { beforeEach, describe, expect, it } from '@jest/globals';
import { type LiveEvent, parsePosition } from '../domain/live-event.js';
import { LiveFeed, maxStreams, maxStreamsPerTeam } from './live-feed.js';
import { LiveChange, LiveChanges, LiveReading, WatchedEmail, WatchedEmails } from './ports/live-changes.port.js';

/** The database: transactions are committed by hand. */
class FakeChanges extends LiveChanges {
  at = 1_763_850_000_000;
  watched = new Map<string, { since: number; isOwn: boolean }>();
  changes: LiveChange[] = [];
  /** Transactions that have begun and not ended. */
  running: bigint[] = [];
  next = 100n;
  reads = 0;
  froms: (string | undefined)[] = [];
  fails = false;
  isCut = false;

  commit(teamId: string, topic: string, names: string[] | undefined, xid = this.next++): void {
    this.running = this.running.filter((other) => other !== xid);
    this.changes.push({ xid, teamId, topic, names });
  }

  begin(): bigint {
    this.running.push(this.next);
    return this.next++;
  }

  async mayStillWatch(openers: readonly unknown[]): Promise<readonly boolean[]> {
    return openers.map(() => true);
  }

  async watch(_sourceId: string, teamIds: readonly string[]): Promise<void> {
    this.at++;
    for (const teamId of teamIds) {
      this.watched.set(teamId, { since: this.watched.get(teamId)?.since ?? this.at, isOwn: true });
    }
  }

  async read(
    _sourceId: string,
    teamIds: readonly string[],
    from: { snapshot: string } | undefined,
  ): Promise<LiveReading> {
    this.reads++;
    this.froms.push(from?.snapshot);
    this.at += 400;
    if (this.fails) throw Object.assign(new Error('away'), { code: '57P01' });
    const [xmin, xmax, running] = (from?.snapshot ?? '999999:999999:').split(':') as [string, string, string];
    const isKnown = (xid: bigint): boolean =>
      xid < BigInt(xmin) || (xid < BigInt(xmax) && !running.split(',').includes(String(xid)));
    return {
      position: { at: this.at, snapshot: `${this.running[0] ?? this.next}:${this.next}:${this.running.join()}` },
      watches: new Map([...this.watched].filter(([teamId]) => teamIds.includes(teamId))),
      changes: this.changes.filter(({ xid, teamId }) => teamIds.includes(teamId) && !isKnown(xid)),
      isCut: this.isCut,
    };
  }

  async prune(): Promise<void> {}
}

class FakeEmails extends WatchedEmails {
  asked: string[][] = [];

  async load(ids: readonly string[]): Promise<readonly WatchedEmail[]> {
    this.asked.push([...ids]);
    return ids.map((id) => ({ teamId: id.slice(0, 1), shown: { id } }));
  }
}

let changes: FakeChanges;
let emails: FakeEmails;
let feed: LiveFeed;

beforeEach(() => {
  changes = new FakeChanges();
  emails = new FakeEmails();
  feed = new LiveFeed(changes, emails);
});

function listen(teamId: string, from?: string) {
  const heard: LiveEvent[] = [];
  const ids: string[] = [];
  const send = (event: LiveEvent, id: string): void => void (heard.push(event), ids.push(id));
  const state = { isEnded: false };
  const end = feed.subscribe({ teamId, send, end: () => void (state.isEnded = true) }, parsePosition(from));
  return { heard, ids, state, end };
}

describe('the live feed', () => {
  it('asks nothing of the database while nobody listens', async () => {
    await feed.step();
    expect(changes.reads).toBe(0);
  });

  it('tells each team of its own changes, with one reading and one look at the emails', async () => {
    const streams = [listen('a'), listen('a'), listen('b')];
    await feed.step();
    changes.commit('a', 'emails', ['a1']);
    changes.commit('b', 'emails', ['b1']);
    changes.commit('b', 'events', ['domain.updated']);
    const before = changes.reads;
    await feed.step();
    const ofA = [{ type: 'ready' }, { type: 'emails', emails: [{ id: 'a1' }] }];
    const ofB = [
      { type: 'ready' },
      { type: 'emails', emails: [{ id: 'b1' }] },
      { type: 'events', events: ['domain.updated'] },
    ];
    expect(streams.map(({ heard }) => heard)).toEqual([ofA, ofA, ofB]);
    expect([changes.reads - before, emails.asked]).toEqual([1, [['a1', 'b1']]]);
  });

  it('tells of a transaction that commits after later ones', async () => {
    const stream = listen('a');
    await feed.step();
    const slow = changes.begin();
    changes.commit('a', 'emails', ['a2']);
    await feed.step();
    await feed.step();
    changes.commit('a', 'emails', ['a1'], slow);
    await feed.step();
    expect(stream.heard.slice(1)).toEqual([
      { type: 'emails', emails: [{ id: 'a2' }] },
      { type: 'emails', emails: [{ id: 'a1' }] },
    ]);
  });

  it('is ready once all transactions have ended that may not know of it', async () => {
    const early = changes.begin();
    const stream = listen('a');
    await feed.step();
    expect(stream.heard).toEqual([]);
    changes.commit('a', 'emails', ['a1'], early);
    await feed.step();
    expect(stream.heard).toEqual([{ type: 'ready' }]);
  });

  it('resumes without a gap where an earlier stream ended', async () => {
    const first = listen('a');
    await feed.step();
    first.end();
    changes.commit('a', 'emails', ['a1']);
    await feed.step();
    const second = listen('a', first.ids.at(-1));
    const third = listen('a');
    await feed.step();
    expect(second.heard).toEqual([{ type: 'emails', emails: [{ id: 'a1' }] }]);
    expect(third.heard).toEqual([{ type: 'ready' }]);
  });

  it('says to reload where it cannot resume: too late, or the team was not watched', async () => {
    const first = listen('a');
    await feed.step();
    first.end();
    changes.at += 30_000;
    const late = listen('a', first.ids.at(-1));
    const unwatched = listen('b', `${changes.at}.100:100:`);
    await feed.step();
    expect([late.heard, unwatched.heard]).toEqual([[{ type: 'reload' }], [{ type: 'reload' }]]);
  });

  it('does not read from a position that is too old to resume from', async () => {
    const old = listen('a');
    await feed.step();
    old.end();
    changes.at += 30_000;
    const recent = listen('b');
    await feed.step();
    await feed.step();
    const { length } = changes.froms;
    listen('a', old.ids[0]);
    await feed.step();
    expect(changes.froms.slice(length)).toEqual([parsePosition(recent.ids.at(-1))?.snapshot]);
  });

  it('begins anew after the database was away, or has lost what is watched', async () => {
    const stream = listen('a');
    await feed.step();
    changes.fails = true;
    await feed.step();
    changes.fails = false;
    await feed.step();
    changes.watched.clear();
    await feed.step();
    await feed.step();
    expect(stream.heard).toEqual([{ type: 'ready' }, { type: 'ready' }, { type: 'ready' }]);
  });

  it('names no emails where too many changed', async () => {
    const stream = listen('a');
    await feed.step();
    changes.commit('a', 'emails', undefined);
    await feed.step();
    changes.commit(
      'a',
      'emails',
      Array.from({ length: 101 }, (_, n) => `a${n}`),
    );
    await feed.step();
    changes.isCut = true;
    await feed.step();
    const many = { type: 'changed', topics: ['emails'] };
    expect(stream.heard).toEqual([{ type: 'ready' }, many, many, many]);
    expect(emails.asked).toEqual([]);
  });

  it('refuses more streams than a team or the process may have', () => {
    const streams = Array.from({ length: maxStreamsPerTeam }, () => listen('a'));
    expect(() => listen('a')).toThrow('live streams open');
    streams[0]?.end();
    listen('a');
  });

  it('when it is full, a team with fewer streams replaces the oldest one of the team with most', () => {
    const ten = Array.from({ length: maxStreams }, (_, n) => listen(`team ${n % (maxStreams / maxStreamsPerTeam)}`));
    listen('z');
    expect(feed.size).toBe(maxStreams);
    expect(ten.filter(({ state }) => state.isEnded)).toEqual([ten[0]]);
    listen('z');
    expect(ten.filter(({ state }) => state.isEnded)).toEqual([ten[0], ten[1]]);
  });

  it('when it is full of teams that have one stream each, the next one is refused', () => {
    for (let n = 0; n < maxStreams; n++) listen(`t${n}`);
    expect(() => listen('z')).toThrow('cannot hold');
    expect(feed.size).toBe(maxStreams);
  });
});
