import { Principal } from '#identity';
import { TeamEvents } from '#events';
import { Clock, found, newId, NotFoundError, Page, PageRequest, UnitOfWork } from '#kernel';
import type { EmailAddress } from '#kernel';
import { Injectable } from '@nestjs/common';
import { InboxTakenError, TooManyInboxesError } from '../domain/inbox-errors.js';
import { inboxEvent } from '../domain/inbox-events.js';
import { Inbox, InboxAgent, maxInboxes, ShownInbox } from '../domain/inbox.js';
import { foundInbox, sourceOf } from './found-inbox.js';
import { InboxDomains } from './inbox-domains.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

export interface NewInbox extends Pick<Inbox, 'name' | 'fromName'> {
  /** In lower case. */
  readonly address: EmailAddress;
  /** Whether a server of the team receives the mail of the address, and forwards it. */
  readonly forwarding: boolean;
}

export type InboxChanges = Partial<Pick<Inbox, 'name' | 'fromName'>>;
export type AgentChanges = Partial<InboxAgent>;

/** The inboxes of a team: adds, reads, changes and removes them, and keeps the settings of their agents. */
@Injectable()
export class Inboxes {
  constructor(
    private readonly inboxes: InboxRepository,
    private readonly domains: InboxDomains,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async add(principal: Principal, { address, forwarding, name, fromName }: NewInbox): Promise<ShownInbox> {
    principal.require('emails:write');
    const { teamId } = principal;
    const { domainId, receivingAddress } = await this.domains.placeOf(teamId, address.domain, forwarding);
    const now = this.clock.now();
    const inbox: ShownInbox = {
      id: newId(now.getTime()),
      teamId,
      domainId,
      address: address.address,
      receivingAddress,
      name,
      fromName,
      unread: 0,
      lastReceivedAt: null,
      agent: { instructions: null, tone: null, actions: [] },
      drafts: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.work.run(async (transaction) => {
      const result = await this.inboxes.add(inbox, maxInboxes, transaction);
      if (result === 'taken') throw new InboxTakenError(inbox.address);
      if (result === 'full') throw new TooManyInboxesError();
      await this.events.append([inboxEvent('inbox.created', inbox, sourceOf(principal), { inbox }, now)], transaction);
    });
    return inbox;
  }

  list(teamId: string, page: PageRequest): Promise<Page<Inbox>> {
    return this.inboxes.list(teamId, page);
  }

  /** By id or by address, in any case. Throws NotFoundError if the team has no such inbox. */
  find(teamId: string, idOrAddress: string): Promise<Inbox> {
    return foundInbox(this.inboxes, teamId, idOrAddress);
  }

  async show(teamId: string, idOrAddress: string): Promise<ShownInbox> {
    const inbox = await this.find(teamId, idOrAddress);
    return { ...inbox, drafts: await this.inboxes.openDrafts(inbox.id) };
  }

  change(principal: Principal, idOrAddress: string, { name, fromName }: InboxChanges): Promise<Inbox> {
    return this.changed(principal, idOrAddress, (inbox) => ({
      ...inbox,
      name: name === undefined ? inbox.name : name,
      fromName: fromName === undefined ? inbox.fromName : fromName,
    }));
  }

  async agent(teamId: string, idOrAddress: string): Promise<InboxAgent> {
    return (await this.find(teamId, idOrAddress)).agent;
  }

  changeAgent(
    principal: Principal,
    idOrAddress: string,
    { instructions, tone, actions }: AgentChanges,
  ): Promise<Inbox> {
    return this.changed(principal, idOrAddress, (inbox) => ({
      ...inbox,
      agent: {
        instructions: instructions === undefined ? inbox.agent.instructions : instructions,
        tone: tone === undefined ? inbox.agent.tone : tone,
        actions: actions ?? inbox.agent.actions,
      },
    }));
  }

  /** Its threads, emails and drafts go with it. */
  async remove(principal: Principal, idOrAddress: string): Promise<Inbox> {
    principal.require('emails:write');
    const inbox = await this.find(principal.teamId, idOrAddress);
    await this.work.run(async (transaction) => {
      if (!(await this.inboxes.remove(inbox.teamId, inbox.id, transaction))) throw new NotFoundError('Inbox');
      const event = inboxEvent('inbox.deleted', inbox, sourceOf(principal), {}, this.clock.now());
      await this.events.append([event], transaction);
    });
    return inbox;
  }

  /** A change that leaves everything as it is makes no event. */
  private async changed(principal: Principal, idOrAddress: string, change: (inbox: Inbox) => Inbox): Promise<Inbox> {
    principal.require('emails:write');
    const { id, teamId } = await this.find(principal.teamId, idOrAddress);
    return this.work.run(async (transaction) => {
      const before = found('Inbox', await this.inboxes.lock(teamId, id, transaction));
      const after = change(before);
      if (isSame(before, after)) return before;
      const now = this.clock.now();
      const inbox = { ...after, updatedAt: now };
      await this.inboxes.update(inbox, transaction);
      const shown = { ...inbox, drafts: await this.inboxes.openDrafts(id) };
      const event = inboxEvent('inbox.updated', inbox, sourceOf(principal), { inbox: shown }, now);
      await this.events.append([event], transaction);
      return inbox;
    });
  }
}

function isSame(a: Inbox, b: Inbox): boolean {
  return (
    a.name === b.name &&
    a.fromName === b.fromName &&
    a.agent.instructions === b.agent.instructions &&
    a.agent.tone === b.agent.tone &&
    a.agent.actions.join() === b.agent.actions.join()
  );
}
