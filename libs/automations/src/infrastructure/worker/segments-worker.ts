import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { FollowSegments } from '../../application/follow-segments.use-case.js';
import { WatchedSegment } from '../../application/ports/segment-watch.port.js';

/** Watches segments with filters in every worker, one at a time in each: a look keeps a processor of PostgreSQL busy. */
@Injectable()
export class SegmentsWorker extends LeasedWork<WatchedSegment> {
  constructor(
    host: WorkHost,
    private readonly segments: FollowSegments,
  ) {
    super(host, { task: 'watching segments', everyMs: 1_000 });
  }

  protected async claim(): Promise<readonly WatchedSegment[]> {
    const segment = await this.segments.lease();
    return segment === undefined ? [] : [segment];
  }

  protected work(segment: WatchedSegment): Promise<void> {
    return this.segments.look(segment);
  }
}
