import { Injectable } from '@nestjs/common';
import { ContactRepository } from './ports/contact-repository.port.js';
import { SegmentRepository } from './ports/segment-repository.port.js';

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
