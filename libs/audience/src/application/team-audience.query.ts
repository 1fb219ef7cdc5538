import { Injectable } from '@nestjs/common';
import { Segment } from '../domain/segment.js';
import { Topic } from '../domain/topic.js';
import { ContactRepository } from './ports/contact-repository.port.js';
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

/** How many contacts and segments a team has. */
@Injectable()
export class AudienceUsage {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly segments: SegmentRepository,
  ) {}

  async of(teamId: string): Promise<{ readonly contacts: number; readonly segments: number }> {
    const [contacts, segments] = await Promise.all([this.contacts.count(teamId), this.segments.count(teamId)]);
    return { contacts, segments };
  }
}
