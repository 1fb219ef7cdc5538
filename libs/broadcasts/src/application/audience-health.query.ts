import { SegmentHealth } from '#audience';
import { found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AudienceHealth, healthOf } from '../domain/audience-health.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

/** What speaks for and against sending a broadcast to its audience, as that is now. */
@Injectable()
export class ReadAudienceHealth {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly segments: SegmentHealth,
  ) {}

  async read(teamId: string, id: string): Promise<AudienceHealth> {
    const { segmentId, topicId } = found('Broadcast', await this.broadcasts.find(teamId, id));
    return healthOf(await this.segments.measure(teamId, segmentId, topicId));
  }
}
