import { beforeEach, expect, it } from '@jest/globals';
import type { FindGroups } from '#audience';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { FollowSegments } from './follow-segments.use-case.js';
import { SegmentWatch, WatchedSegment } from './ports/segment-watch.port.js';

const segment: WatchedSegment = { segmentId: newId(), teamId: newId() };
const clock = new FakeClock(new Date('2026-06-01T12:00:00Z'));

class GivenWatch extends SegmentWatch {
  isListening = true;
  hasMore = false;
  readonly did: unknown[] = [];

  async lease(): Promise<WatchedSegment | undefined> {
    return segment;
  }

  async follow(): Promise<boolean> {
    this.did.push('followed');
    return this.hasMore;
  }

  async release(_segment: WatchedSegment, dueAt: Date): Promise<void> {
    this.did.push(dueAt.toISOString());
  }

  async isWatched(): Promise<boolean> {
    return this.isListening;
  }

  async forget(_segment: WatchedSegment, isForGood: boolean): Promise<boolean> {
    return this.did.push({ isForGood }) < 2;
  }
}

let watch: GivenWatch;
let found: object | undefined;
let follow: FollowSegments;

beforeEach(() => {
  watch = new GivenWatch();
  found = { filter: { type: 'rule' } };
  follow = new FollowSegments(watch, { segment: async () => found } as unknown as FindGroups, clock);
});

it('a segment is looked at again after a pause, and at once if some have not entered yet', async () => {
  await follow.look((await follow.lease()) as WatchedSegment);
  watch.hasMore = true;
  await follow.look(segment);
  expect(watch.did).toEqual(['followed', '2026-06-01T12:00:30.000Z', 'followed', '2026-06-01T12:00:00.000Z']);
});

it('a segment with which nothing begins is forgotten', async () => {
  watch.isListening = false;
  await follow.look(segment);
  expect(watch.did).toEqual([{ isForGood: false }, { isForGood: false }]);
});

it.each([undefined, { filter: null }])('a segment that is %j is not watched', async (given) => {
  found = given;
  await follow.look(segment);
  expect(watch.did).toEqual([{ isForGood: true }, { isForGood: true }]);
});
