import { Injectable } from '@nestjs/common';
import { ReadContacts, SegmentHealth } from '#audience';
import { found, Page, PageRequest } from '#kernel';
import { AudienceHealth, healthOf } from '../domain/audience-health.js';
import { BroadcastFilter, BroadcastsPage } from '../domain/broadcast-filter.js';
import { Broadcast } from '../domain/broadcast.js';
import {
  BroadcastProgress,
  ClickedLink,
  ContactBroadcast,
  noCounts,
  RecipientsPage,
  RecipientsRequest,
  SubjectResults,
} from '../domain/statistics.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastStatistics } from './ports/broadcast-statistics.port.js';

/** Reads broadcasts and their results. */
@Injectable()
export class ReadBroadcasts {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly statistics: BroadcastStatistics,
    private readonly contacts: ReadContacts,
  ) {}

  list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage> {
    return this.broadcasts.list(teamId, page, filter);
  }

  async find(teamId: string, id: string): Promise<Broadcast> {
    return found('Broadcast', await this.broadcasts.find(teamId, id));
  }

  /** With the results of its subjects, if it tries several. */
  async findWithSubjects(
    teamId: string,
    id: string,
  ): Promise<{ readonly broadcast: Broadcast; readonly subjects: SubjectResults | undefined }> {
    const broadcast = await this.find(teamId, id);
    const { test } = broadcast.options;
    return { broadcast, subjects: test === undefined ? undefined : await this.statistics.subjects(id) };
  }

  async recipients(teamId: string, id: string, request: RecipientsRequest, page: PageRequest): Promise<RecipientsPage> {
    return this.statistics.recipients(await this.find(teamId, id), request, page);
  }

  async clickedLinks(teamId: string, id: string, page: PageRequest): Promise<Page<ClickedLink>> {
    return this.statistics.clickedLinks((await this.find(teamId, id)).id, page);
  }

  async progress(
    teamId: string,
    id: string,
  ): Promise<{ readonly broadcast: Broadcast; readonly progress: BroadcastProgress }> {
    const broadcast = await this.find(teamId, id);
    return { broadcast, progress: (await this.statistics.progress(id)) ?? { counts: noCounts, pausedBecause: null } };
  }

  /** The broadcasts that a contact got, with what it did. */
  async ofContact(teamId: string, idOrEmail: string, page: PageRequest): Promise<Page<ContactBroadcast>> {
    const { contact } = await this.contacts.find(teamId, idOrEmail);
    return this.statistics.ofContact(contact.id, page);
  }
}

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
