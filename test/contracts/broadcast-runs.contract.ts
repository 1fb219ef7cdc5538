import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, UnitOfWork } from '#kernel';
import {
  BroadcastRuns,
  BroadcastWork,
  Slice,
  SliceResult,
} from '../../libs/broadcasts/src/application/ports/broadcast-runs.port.js';
import { AudiencePlan } from '../../libs/broadcasts/src/domain/fan-out/waves.js';

/** A broadcast that is queued, and its segment. The property `zone` of its members is that of the same index. */
export interface StartedRun {
  readonly work: BroadcastWork;
  readonly contactIds: readonly string[];
  readonly segmentId: string;
}

export interface RunsUnderTest {
  readonly runs: BroadcastRuns;
  readonly unitOfWork: UnitOfWork;
  readonly start: (properties: readonly (string | null)[]) => Promise<StartedRun>;
  readonly statusOf: (broadcastId: string) => Promise<string>;
}

const everybody: AudiencePlan = { kind: 'all' };
const nobodyKnown = (count: number): null[] => Array.from({ length: count }, () => null);

/** What every `BroadcastRuns` keeps to. */
export function describeBroadcastRuns(name: string, start: () => Promise<RunsUnderTest>): void {
  describe(`runs of broadcasts ${name}`, () => {
    let subject: RunsUnderTest;
    let now: Date;
    beforeAll(async () => {
      subject = await start();
      now = new Date();
    });

    const planned = async ({ work, segmentId }: StartedRun, plan: AudiencePlan): Promise<number | string> =>
      subject.runs.fixAudience(work, segmentId, plan, now);
    const kindOf = async ({ work }: StartedRun, at = now): Promise<string | undefined> =>
      (await subject.runs.next(at)).find(({ broadcastId }) => broadcastId === work.broadcastId)?.kind;
    /** Sends one slice to everybody in it. */
    const sent = ({ work }: StartedRun, limit: number, at = now): Promise<Slice | undefined> =>
      subject.unitOfWork.run(async (transaction) => {
        const slice = await subject.runs.claim(work, limit, at, transaction);
        if (slice === undefined) return undefined;
        const results: SliceResult[] = slice.contactIds.map((contactId) => ({
          contactId,
          email: `${contactId}@sink.test`,
          emailId: newId(),
        }));
        await subject.runs.record({ ...work, domainId: newId(), hasTest: true }, slice, results, at, transaction);
        return slice;
      });
    const allSent = async (run: StartedRun, limit: number, at = now): Promise<readonly Slice[]> => {
      const slices: Slice[] = [];
      for (let slice = await sent(run, limit, at); slice; slice = await sent(run, limit, at)) slices.push(slice);
      return slices;
    };
    const contactsOf = (slices: readonly Slice[]): string[] => slices.flatMap(({ contactIds }) => contactIds).sort();

    it('the audience is fixed once, and everybody is in one slice', async () => {
      const run = await subject.start(nobodyKnown(23));
      expect(await kindOf(run)).toBe('plan');
      expect(await planned(run, everybody)).toBe(23);
      expect(await planned(run, everybody)).toBe('taken');
      expect(await planned({ ...(await subject.start([])), segmentId: newId() }, everybody)).toBe('no segment');
      expect(await kindOf(run)).toBe('slice');
      expect(await subject.runs.finish(run.work.broadcastId, now)).toBe(false);
      const slices = await allSent(run, 3);
      expect(contactsOf(slices)).toEqual([...run.contactIds].sort());
      for (const { contactIds } of slices) expect([...contactIds]).toEqual([...contactIds].sort());
      expect(await kindOf(run)).toBe('finish');
      expect(await subject.runs.finish(run.work.broadcastId, now)).toBe(true);
      expect(await subject.statusOf(run.work.broadcastId)).toBe('sent');
      expect(await kindOf(run)).toBeUndefined();
      while (await subject.runs.tidy());
      expect(await subject.runs.tidy()).toBe(false);
    });

    it('what is claimed and not recorded is claimed again', async () => {
      const run = await subject.start(nobodyKnown(2));
      await planned(run, everybody);
      const claimed = (): Promise<Slice | undefined> =>
        subject.unitOfWork.run((transaction) => subject.runs.claim(run.work, 5, now, transaction));
      expect(await claimed()).toEqual(await claimed());
      expect(contactsOf(await allSent(run, 5))).toHaveLength(2);
    });

    it('nothing is claimed while it is paused, and it resumes itself at its time', async () => {
      const run = await subject.start(nobodyKnown(3));
      await planned(run, everybody);
      const { broadcastId } = run.work;
      const later = new Date(now.getTime() + 60_000);
      await subject.runs.pause(broadcastId, 'daily_quota_exceeded', later, now);
      expect(await subject.statusOf(broadcastId)).toBe('paused');
      expect([await kindOf(run), await sent(run, 5)]).toEqual([undefined, undefined]);
      expect(await subject.runs.resumeHeld(now)).toBe(0);
      expect(await subject.runs.resumeHeld(later)).toBe(1);
      expect(contactsOf(await allSent(run, 5, later))).toHaveLength(3);
    });

    it('the rest waits for a decision, and gets the subject that has won', async () => {
      const run = await subject.start(nobodyKnown(20));
      await planned(run, { kind: 'ranked', share: { percent: 30 }, variants: 3 });
      const { broadcastId } = run.work;
      expect((await subject.runs.undecided(broadcastId))?.isReady).toBe(false);
      const first = await allSent(run, 4);
      expect(first.flatMap(({ variants }) => variants).sort()).toEqual([0, 0, 1, 1, 2, 2]);
      expect(await kindOf(run)).toBe('decide');
      expect(await subject.runs.undecided(broadcastId)).toEqual({
        decideAt: null,
        isReady: true,
        accepted: 6,
        delivered: 0,
        bounced: 0,
        complained: 0,
        isGuarded: false,
        pausedFor: [],
      });
      await subject.runs.decideAt(broadcastId, now);
      await subject.runs.decideAt(broadcastId, new Date(0));
      expect((await subject.runs.undecided(broadcastId))?.decideAt).toEqual(now);
      expect(await subject.runs.scores(broadcastId, 'clicked', 3)).toEqual([0, 0, 0]);
      await subject.runs.release(broadcastId, { variant: 2, scores: [0, 0, 1] }, now);
      await subject.runs.release(broadcastId, { variant: 1, scores: [0, 2, 1] }, now);
      const rest = await allSent(run, 4);
      expect(new Set(rest.flatMap(({ variants }) => variants))).toEqual(new Set([2]));
      expect(contactsOf([...first, ...rest])).toEqual([...run.contactIds].sort());
      expect(await subject.runs.undecided(broadcastId)).toBeUndefined();
    });

    it('those that wait for a time do not stand before those that have work', async () => {
      const waiting: StartedRun[] = [];
      for (let no = 0; no < 10; no++) {
        const run = await subject.start(nobodyKnown(2));
        await planned(run, { kind: 'ranked', share: { contacts: 1 }, variants: 1 });
        await allSent(run, 5);
        waiting.push(run);
      }
      const later = new Date(now.getTime() + 60_000);
      for (const { work } of waiting) await subject.runs.decideAt(work.broadcastId, later);
      const run = await subject.start(nobodyKnown(2));
      await planned(run, everybody);
      expect(await kindOf(run)).toBe('slice');
      for (const each of waiting) expect(await kindOf(each)).toBeUndefined();
      await allSent(run, 5);
      await subject.runs.finish(run.work.broadcastId, now);
      for (const each of waiting.slice(0, 5)) expect(await kindOf(each, later)).toBe('decide');
      for (const { work } of waiting) await subject.runs.release(work.broadcastId, undefined, now);
      for (const each of waiting) await allSent(each, 5);
      for (const { work } of waiting) expect(await subject.runs.finish(work.broadcastId, now)).toBe(true);
    });

    it('a first share that was sent pauses and leaves the decision to the one who resumes it, or neither', async () => {
      const run = await subject.start(nobodyKnown(9));
      await planned(run, { kind: 'ranked', share: { contacts: 4 }, variants: 1 });
      const { broadcastId } = run.work;
      const decideAt = async (): Promise<unknown> => (await subject.runs.undecided(broadcastId))?.decideAt;
      await allSent(run, 9);
      const later = new Date(now.getTime() + 60_000);
      await subject.runs.pause(broadcastId, 'too_many_bounces', later, now);
      await subject.runs.pause(broadcastId, 'first_share_sent', null, now);
      expect(await decideAt()).toBeNull();
      await subject.runs.release(broadcastId, undefined, now);
      expect(await decideAt()).toBeNull();
      await subject.runs.resumeHeld(later);
      await subject.runs.pause(broadcastId, 'first_share_sent', null, later);
      expect(await decideAt()).toEqual(later);
      expect(await sent(run, 9, later)).toBeUndefined();
    });

    it('a first share may be a number of contacts', async () => {
      const run = await subject.start(nobodyKnown(9));
      await planned(run, { kind: 'ranked', share: { contacts: 4 }, variants: 1 });
      expect(contactsOf(await allSent(run, 9))).toHaveLength(4);
      const { broadcastId } = run.work;
      for (const reason of ['too_many_bounces', 'too_many_complaints', 'too_many_bounces'] as const) {
        await subject.runs.pause(broadcastId, reason, now, now);
        await subject.runs.resumeHeld(now);
      }
      const { pausedFor } = (await subject.runs.undecided(broadcastId)) ?? {};
      expect(pausedFor).toEqual(['too_many_bounces', 'too_many_complaints']);
    });

    it('each zone has its time, and unknown ones that of the broadcast', async () => {
      const run = await subject.start(['Europe/Berlin', ' europe/berlin', 'Mars', null]);
      const later = new Date(now.getTime() + 3_600_000);
      await planned(run, {
        kind: 'zones',
        property: 'zone',
        releases: [now, later],
        otherWave: 1,
        waveOf: new Map([['europe/berlin', 0]]),
      });
      expect(contactsOf(await allSent(run, 9))).toEqual([...run.contactIds.slice(0, 2)].sort());
      expect(await kindOf(run)).toBeUndefined();
      expect(contactsOf(await allSent(run, 9, later))).toHaveLength(2);
      expect(await kindOf(run, later)).toBe('finish');
    });

    it('a broadcast with unexpected errors rests, until a slice was made', async () => {
      const run = await subject.start(nobodyKnown(2));
      const { broadcastId } = run.work;
      expect(await subject.runs.trouble(broadcastId, now)).toBe(1);
      expect(await subject.runs.trouble(broadcastId, now)).toBe(2);
      expect(await kindOf(run)).toBeUndefined();
      expect(await kindOf(run, new Date(now.getTime() + 60_000))).toBe('plan');
      await planned(run, everybody);
      await sent(run, 5);
      expect(await subject.runs.trouble(broadcastId, now)).toBe(1);
    });
  });
}
