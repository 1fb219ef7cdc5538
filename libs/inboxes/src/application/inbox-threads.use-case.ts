import { Principal } from '#identity';
import { TeamEvents } from '#events';
import { Clock, found, NotFoundError, Page, PageRequest, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { inboxEvent } from '../domain/inbox-events.js';
import { InboxThread, ThreadLabel } from '../domain/thread.js';
import { foundInbox, sourceOf } from './found-inbox.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import {
  ThreadSearch,
  FoundThread,
  ThreadChanges,
  ThreadFilter,
  ThreadRepository,
} from './ports/thread-repository.port.js';

/** The threads of inboxes: lists, searches, reads, moves, marks, assigns and labels them. */
@Injectable()
export class InboxThreads {
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(teamId: string, inbox: string, filter: ThreadFilter, page: PageRequest): Promise<Page<InboxThread>> {
    return this.threads.list((await foundInbox(this.inboxes, teamId, inbox)).id, filter, page);
  }

  async search(
    teamId: string,
    inbox: string,
    filter: ThreadFilter,
    search: ThreadSearch,
    page: PageRequest,
  ): Promise<Page<FoundThread>> {
    return this.threads.search((await foundInbox(this.inboxes, teamId, inbox)).id, filter, search, page);
  }

  async find(teamId: string, inbox: string, id: string): Promise<InboxThread> {
    const { id: inboxId } = await foundInbox(this.inboxes, teamId, inbox);
    return found('Thread', await this.threads.find(inboxId, id));
  }

  /** Throws ValidationError if the assignee is no member of the team. */
  async change(principal: Principal, inbox: string, id: string, changes: ThreadChanges): Promise<InboxThread> {
    principal.require('emails:write');
    const owner = await foundInbox(this.inboxes, principal.teamId, inbox);
    const now = this.clock.now();
    const { actor } = principal;
    const by = changes.assigneeEmail && actor.kind === 'user' ? await this.threads.addressOf(owner.id, actor.id) : null;
    return this.work.run(async (transaction) => {
      const change = found('Thread', await this.threads.change(owner.id, id, changes, now, transaction));
      const { thread, movedFrom, assignedFrom } = change;
      const moved = movedFrom && { from: movedFrom, to: thread.folder };
      const assigned = assignedFrom === undefined ? undefined : { from: assignedFrom, by: by ?? null };
      const source = sourceOf(principal);
      const [folder, kind] = ['folder.updated', thread.assigneeEmail === null ? 'unassigned' : 'assigned'] as const;
      await this.events.append(
        [
          ...(moved ? [inboxEvent(`inbox.thread.${folder}`, owner, source, { thread, moved }, now)] : []),
          ...(assigned ? [inboxEvent(`inbox.thread.${kind}`, owner, source, { thread, assigned }, now)] : []),
        ],
        transaction,
      );
      return thread;
    });
  }

  /** Throws NotFoundError for a label that the inbox does not have. */
  async label(
    principal: Principal,
    inbox: string,
    id: string,
    how: 'add' | 'remove' | 'replace',
    labels: readonly string[],
  ): Promise<readonly ThreadLabel[]> {
    principal.require('emails:write');
    const owner = await foundInbox(this.inboxes, principal.teamId, inbox);
    const known = new Set((await this.inboxes.labels(owner.id)).map((label) => label.id));
    if (labels.some((label) => !known.has(label))) throw new NotFoundError('Label');
    const now = this.clock.now();
    return this.work.run(async (transaction) => {
      const { thread, before } = found('Thread', await this.threads.label(owner.id, id, how, labels, transaction));
      const change = { added: without(thread.labels, before.labels), removed: without(before.labels, thread.labels) };
      if (change.added.length === 0 && change.removed.length === 0) return thread.labels;
      const fields = { thread, labels: change };
      const event = inboxEvent('inbox.thread.labels.updated', owner, sourceOf(principal), fields, now);
      await this.events.append([event], transaction);
      return thread.labels;
    });
  }
}

function without(labels: readonly ThreadLabel[], others: readonly ThreadLabel[]): readonly ThreadLabel[] {
  const ids = new Set(others.map(({ id }) => id));
  return labels.filter(({ id }) => !ids.has(id));
}
