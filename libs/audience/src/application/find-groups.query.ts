import { Injectable } from '@nestjs/common';
import { Segment } from '../domain/segment.js';
import { Topic } from '../domain/topic.js';
import { SegmentRepository } from './ports/segment-repository.port.js';
import { TopicRepository } from './ports/topic-repository.port.js';

/** Finds the segments and topics that other features name. */
@Injectable()
export class FindGroups {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly topics: TopicRepository,
  ) {}

  segment(teamId: string, id: string): Promise<Segment | undefined> {
    return this.segments.find(teamId, id);
  }

  topic(teamId: string, id: string): Promise<Topic | undefined> {
    return this.topics.find(teamId, id);
  }
}
