import type { Principal } from '#identity';
import { Clock, found, newId, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { BroadcastStateError } from '../domain/broadcast-errors.js';
import { changedFields, isOnlyRenaming, nameOf, nameOfCopy, RequestedBroadcast } from '../domain/broadcast-fields.js';
import { Broadcast } from '../domain/broadcast.js';
import { isEditable } from '../domain/transitions.js';
import { ChangeBroadcast } from './change-broadcast.js';
import { CheckBroadcast } from './check-broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

/** Creates, changes, duplicates and removes broadcasts. */
@Injectable()
export class WriteBroadcasts {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly changeBroadcast: ChangeBroadcast,
    private readonly check: CheckBroadcast,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates a draft. Returns its id. */
  async create(principal: Principal, requested: RequestedBroadcast): Promise<string> {
    const draft = await this.draft(principal, requested);
    await this.insert(draft);
    return draft.id;
  }

  /** A draft that is not stored yet. */
  async draft(principal: Principal, requested: RequestedBroadcast): Promise<Broadcast> {
    principal.require('broadcasts:write');
    const fields = changedFields(requested);
    await this.check.checkGroups(principal.teamId, fields);
    return newDraft(principal, fields, this.clock.now());
  }

  insert(broadcast: Broadcast): Promise<void> {
    return this.work.run((transaction) => this.broadcasts.insert(broadcast, transaction));
  }

  /** A scheduled broadcast stays scheduled; what it sends is checked again. After the start only the name changes. */
  async change(principal: Principal, id: string, requested: RequestedBroadcast): Promise<void> {
    principal.require('broadcasts:write');
    await this.changeBroadcast.execute(principal.teamId, id, async (broadcast) => {
      const updatedAt = this.clock.now();
      if (isOnlyRenaming(requested)) return { ...broadcast, name: nameOf(requested) ?? broadcast.name, updatedAt };
      if (!isEditable(broadcast)) {
        throw new BroadcastStateError('Only draft and scheduled broadcasts can be changed, and afterwards the name.');
      }
      const changed = { ...broadcast, ...changedFields(requested, broadcast), actor: principal.actor, updatedAt };
      await this.check.checkGroups(principal.teamId, changed);
      return broadcast.status === 'draft' ? changed : { ...changed, ...(await this.check.execute(principal, changed)) };
    });
  }

  /** Creates a draft with the same content, whatever became of the other. Returns its id. */
  async duplicate(principal: Principal, id: string): Promise<string> {
    principal.require('broadcasts:write');
    const broadcast = found('Broadcast', await this.broadcasts.find(principal.teamId, id));
    const name = nameOfCopy(broadcast.name, broadcast.subject);
    const copy = newDraft(principal, { ...broadcast, name }, this.clock.now());
    await this.insert(copy);
    return copy.id;
  }

  /** What is scheduled is never sent. */
  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('broadcasts:write');
    await this.work.run(async (transaction) => {
      const broadcast = found('Broadcast', await this.broadcasts.lock(principal.teamId, id, transaction));
      if (!isEditable(broadcast)) {
        throw new BroadcastStateError('Only draft and scheduled broadcasts can be deleted.');
      }
      await this.broadcasts.delete(broadcast, transaction);
    });
  }
}

type Fields = ReturnType<typeof changedFields>;

function newDraft({ teamId, actor }: Principal, fields: Fields, now: Date): Broadcast {
  const { name, segmentId, topicId, options, from, replyTo, subject, previewText, html, text } = fields;
  return {
    ...{ name, segmentId, topicId, options, from, replyTo, subject, previewText, html, text },
    ...{ id: newId(now.getTime()), teamId, actor, status: 'draft' },
    ...{ domainId: null, scheduledAt: null, queuedAt: null, sentAt: null, createdAt: now, updatedAt: now },
  };
}
