import { FindGroups } from '#audience';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SegmentWatch, WatchedSegment } from './ports/segment-watch.port.js';

/** The shortest time between two looks at a segment. */
const minPauseMs = 30_000;
/** A look that takes long is followed by a pause that is this many times as long. */
const pauseShare = 20;

/** Watches segments with filters: the contacts that enter one begin the automations that listen. */
@Injectable()
export class FollowSegments {
  constructor(
    private readonly watch: SegmentWatch,
    private readonly groups: FindGroups,
    private readonly clock: Clock,
  ) {}

  lease(): Promise<WatchedSegment | undefined> {
    return this.watch.lease(this.clock.now());
  }

  /** Looks once at a segment that is leased. A segment without a filter has events of its own, and is not watched. */
  async look(segment: WatchedSegment): Promise<void> {
    const { teamId, segmentId } = segment;
    const found = await this.groups.segment(teamId, segmentId);
    const isFiltered = found !== undefined && found.filter !== null;
    if (!isFiltered || !(await this.watch.isWatched(segment))) {
      while (await this.watch.forget(segment, !isFiltered, this.clock.now()));
      return;
    }
    const startedAt = performance.now();
    const hasMore = await this.watch.follow(segment, this.clock.now());
    const pauseMs = hasMore ? 0 : Math.max(minPauseMs, pauseShare * (performance.now() - startedAt));
    await this.watch.release(segment, new Date(this.clock.now().getTime() + pauseMs));
  }
}
