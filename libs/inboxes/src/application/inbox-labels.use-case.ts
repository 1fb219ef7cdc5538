import { Principal } from '#identity';
import { Clock, found, newId, NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { LabelTakenError, TooManyLabelsError } from '../domain/inbox-errors.js';
import { InboxLabel, maxLabels } from '../domain/inbox.js';
import { someColor } from '../domain/inbox-fields.js';
import { Inboxes } from './inboxes.use-case.js';
import { InboxRepository, LabelChanges } from './ports/inbox-repository.port.js';

/** What is not found if an inbox has no such label. */
export const labelThing = 'Label';

export interface NewLabel extends Pick<InboxLabel, 'name'> {
  /** Undefined: any. */
  readonly color?: string;
}

/** The labels that threads of an inbox can have. An inbox is named by its id or its address. */
@Injectable()
export class InboxLabels {
  constructor(
    private readonly inboxes: Inboxes,
    private readonly repository: InboxRepository,
    private readonly clock: Clock,
  ) {}

  async list(teamId: string, inbox: string): Promise<readonly InboxLabel[]> {
    const { id } = await this.inboxes.find(teamId, inbox);
    return this.repository.labels(id);
  }

  async add(
    principal: Principal,
    inbox: string,
    { name, color = someColor(Math.random()) }: NewLabel,
  ): Promise<InboxLabel> {
    principal.require('emails:write');
    const { id: inboxId } = await this.inboxes.find(principal.teamId, inbox);
    const now = this.clock.now();
    const label = { id: newId(now.getTime()), name, color, createdAt: now };
    const result = found('Inbox', await this.repository.addLabel(inboxId, label, maxLabels));
    if (result === 'taken') throw new LabelTakenError(name);
    if (result === 'full') throw new TooManyLabelsError();
    return label;
  }

  async change(principal: Principal, inbox: string, id: string, changes: LabelChanges): Promise<InboxLabel> {
    principal.require('emails:write');
    const { id: inboxId } = await this.inboxes.find(principal.teamId, inbox);
    const label = found(labelThing, await this.repository.changeLabel(inboxId, id, changes));
    if (label === 'taken') throw new LabelTakenError(changes.name ?? '');
    return label;
  }

  async remove(principal: Principal, inbox: string, id: string): Promise<void> {
    principal.require('emails:write');
    const { id: inboxId } = await this.inboxes.find(principal.teamId, inbox);
    if (!(await this.repository.removeLabel(inboxId, id))) throw new NotFoundError(labelThing);
  }
}
