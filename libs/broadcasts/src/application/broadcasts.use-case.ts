import { AuthorizeSender } from '#emails';
import type { Permission, Principal } from '#identity';
import {
  Clock,
  ComposedContent,
  composedOrigin,
  DomainError,
  found,
  Mailbox,
  newId,
  parseMailbox,
  UnitOfWork,
} from '#kernel';
import { Injectable } from '@nestjs/common';
import { BroadcastStateError } from '../domain/broadcast-errors.js';
import {
  changedFields,
  checkBodies,
  isOnlyRenaming,
  nameOf,
  nameOfCopy,
  RequestedBroadcast,
} from '../domain/broadcast-fields.js';
import { Broadcast } from '../domain/broadcast.js';
import { canceled, isEditable, paused, requirePaused, resumed } from '../domain/transitions.js';
import { CheckBroadcast } from './check-broadcast.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';

const maxTries = 5;

class BroadcastBusyError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'The broadcast is being changed by someone else. Try again.');
  }
}

/** Writes broadcasts, and stops and continues those that are being sent. `StartBroadcasts` starts them. */
@Injectable()
export class Broadcasts {
  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly check: CheckBroadcast,
    private readonly sender: AuthorizeSender,
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
    await this.check.groups(principal.teamId, fields);
    return newDraft(principal, fields, this.clock.now());
  }

  insert(broadcast: Broadcast): Promise<void> {
    return this.work.run((transaction) => this.broadcasts.insert(broadcast, transaction));
  }

  /** A scheduled broadcast stays scheduled and is checked again. After the start only the name can be changed. */
  async change(principal: Principal, id: string, requested: RequestedBroadcast): Promise<void> {
    principal.require('broadcasts:write');
    await this.rewrite(principal.teamId, id, async (broadcast) => {
      const updatedAt = this.clock.now();
      if (isOnlyRenaming(requested)) return { ...broadcast, name: nameOf(requested) ?? broadcast.name, updatedAt };
      if (!isEditable(broadcast)) {
        throw new BroadcastStateError('Only draft and scheduled broadcasts can be changed, and afterwards the name.');
      }
      const changed = { ...broadcast, ...changedFields(requested, broadcast), actor: principal.actor, updatedAt };
      await this.check.groups(principal.teamId, changed);
      return this.rechecked(principal, changed);
    });
  }

  /**
   * Sets the content to a document and what was rendered from it. Throws ContentChangedError if `base` is not the revision that is there.
   * Returns the new revision.
   */
  async compose(principal: Principal, id: string, content: ComposedContent, base: number | undefined): Promise<number> {
    principal.require('broadcasts:write');
    checkBodies(content);
    const { contentRevision } = await this.rewrite(principal.teamId, id, async (broadcast) => {
      if (!isEditable(broadcast)) throw new BroadcastStateError('Only draft and scheduled broadcasts can be changed.');
      const { html, text } = content;
      const origin = composedOrigin(broadcast, content, base);
      const changed = { ...broadcast, ...origin, html, text, actor: principal.actor, updatedAt: this.clock.now() };
      return this.rechecked(principal, changed);
    });
    return contentRevision;
  }

  /** What is scheduled goes without another look of a person, so changing it takes the permission to send. */
  private async rechecked(principal: Principal, changed: Broadcast): Promise<Broadcast> {
    if (changed.status === 'draft') return changed;
    principal.require('broadcasts:send');
    return { ...changed, ...(await this.check.whole(principal, changed)) };
  }

  /** Creates a draft with the same content. The other broadcast may be in any state. Returns the id of the draft. */
  async duplicate(principal: Principal, id: string): Promise<string> {
    principal.require('broadcasts:write');
    const broadcast = await this.find(principal, id);
    const name = nameOfCopy(broadcast.name, broadcast.subject);
    const copy = newDraft(principal, { ...broadcast, name }, this.clock.now());
    await this.insert(copy);
    return copy.id;
  }

  /** A scheduled broadcast that is removed is never sent. */
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

  /** For good. A scheduled broadcast becomes a draft again. Emails that were accepted are still sent, as after a pause. */
  cancel(principal: Principal, id: string): Promise<void> {
    return this.transition(principal, 'broadcasts:write', id, canceled);
  }

  /** Until it is resumed or canceled. */
  pause(principal: Principal, id: string): Promise<void> {
    return this.transition(principal, 'broadcasts:write', id, paused);
  }

  /** The principal that resumes a broadcast sends it from then on, and must be allowed to send from its domain. */
  async resume(principal: Principal, id: string): Promise<void> {
    principal.require('broadcasts:send');
    const broadcast = await this.find(principal, id);
    // The state is checked first: a broadcast that is not paused gets no other error.
    requirePaused(broadcast);
    // A stored address has been parsed before.
    await this.sender.authorize(principal, parseMailbox(broadcast.from) as Mailbox);
    await this.transition(principal, 'broadcasts:send', id, (locked, now) => resumed(locked, now, principal.actor));
  }

  /**
   * Changes a broadcast based on what was read before. Checks may read from the database, and a transaction that holds
   * a lock must not wait for them. So nothing is locked meanwhile, and it starts over if the broadcast has changed
   * since it was read.
   *
   * Returns the broadcast as it was written.
   */
  async rewrite(teamId: string, id: string, change: (broadcast: Broadcast) => Promise<Broadcast>): Promise<Broadcast> {
    for (let tries = 0; tries < maxTries; tries++) {
      const before = found('Broadcast', await this.broadcasts.find(teamId, id));
      const after = afterwards(before, await change(before));
      if (await this.updateUnchanged(before, after)) return after;
    }
    throw new BroadcastBusyError();
  }

  /** Returns false if the broadcast has changed since it was read. */
  private updateUnchanged(before: Broadcast, after: Broadcast): Promise<boolean> {
    return this.work.run(async (transaction) => {
      const { teamId, id } = before;
      const locked = found('Broadcast', await this.broadcasts.lock(teamId, id, transaction));
      if (locked.updatedAt.getTime() !== before.updatedAt.getTime() || locked.status !== before.status) return false;
      await this.broadcasts.update(after, transaction);
      return true;
    });
  }

  private async transition(
    principal: Principal,
    permission: Permission,
    id: string,
    transition: (broadcast: Broadcast, now: Date) => Broadcast,
  ): Promise<void> {
    principal.require(permission);
    await this.work.run(async (transaction) => {
      const broadcast = found('Broadcast', await this.broadcasts.lock(principal.teamId, id, transaction));
      await this.broadcasts.update(transition(broadcast, this.clock.now()), transaction);
    });
  }

  private async find({ teamId }: Principal, id: string): Promise<Broadcast> {
    return found('Broadcast', await this.broadcasts.find(teamId, id));
  }
}

type Fields = ReturnType<typeof changedFields>;

function newDraft({ teamId, actor }: Principal, fields: Fields, now: Date): Broadcast {
  return {
    id: newId(now.getTime()),
    teamId,
    actor,
    status: 'draft',
    name: fields.name,
    segmentId: fields.segmentId,
    topicId: fields.topicId,
    options: fields.options,
    from: fields.from,
    replyTo: fields.replyTo,
    subject: fields.subject,
    previewText: fields.previewText,
    html: fields.html,
    text: fields.text,
    document: fields.document,
    contentSource: fields.contentSource,
    contentRevision: fields.contentRevision,
    domainId: null,
    scheduledAt: null,
    queuedAt: null,
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Every change has another `updatedAt`, even within one millisecond. */
function afterwards(before: Broadcast, after: Broadcast): Broadcast {
  const updatedAt = Math.max(after.updatedAt.getTime(), before.updatedAt.getTime() + 1);
  return { ...after, updatedAt: new Date(updatedAt) };
}
