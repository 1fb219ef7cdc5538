import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { BroadcastFilter, BroadcastsPage } from '../domain/broadcast-filter.js';
import { Broadcast } from '../domain/broadcast.js';
import {
  BroadcastProgress,
  ClickedLink,
  noCounts,
  RecipientsPage,
  RecipientsRequest,
  SubjectResults,
} from '../domain/statistics.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastStatistics } from './ports/broadcast-statistics.port.js';

/** Reads broadcasts and what became of them. */
@Injectable()
export class ReadBroadcasts {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly statistics: BroadcastStatistics,
  ) {}

  list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage> {
    return this.broadcasts.list(teamId, page, filter);
  }

  async find(teamId: string, id: string): Promise<Broadcast> {
    return found('Broadcast', await this.broadcasts.find(teamId, id));
  }

  /** With what became of its subjects, where it tries several. */
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
}
