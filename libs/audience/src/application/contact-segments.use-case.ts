import type { Principal } from '#identity';
import { Clock, found, Page, PageRequest, Transaction, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact } from '../domain/contact.js';
import { requireStatic, segmentThing } from '../domain/segment.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { MembershipRepository, SegmentOfContact, SegmentRepository } from './ports/segment-repository.port.js';
import { keyOf } from './read-contacts.query.js';
import { RecordChanges } from './record-changes.js';

/** Adds contacts to segments and removes them. */
@Injectable()
export class ContactSegments {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly segments: SegmentRepository,
    private readonly memberships: MembershipRepository,
    private readonly recorder: RecordChanges,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async segmentsOf(teamId: string, idOrEmail: string, page: PageRequest): Promise<Page<SegmentOfContact>> {
    const { id } = found('Contact', await this.contacts.find(teamId, keyOf(idOrEmail)));
    return this.memberships.segmentsOf(teamId, id, page);
  }

  /** Returns the id of the contact. A member that is added again stays as it is. */
  add(principal: Principal, idOrEmail: string, segmentId: string): Promise<string> {
    return this.work.run((transaction) => this.addIn(principal, idOrEmail, segmentId, transaction));
  }

  /** The same in a transaction of the caller. */
  addIn(principal: Principal, idOrEmail: string, segmentId: string, transaction: Transaction): Promise<string> {
    return this.change(principal, idOrEmail, segmentId, transaction, async ({ id: contactId, teamId }, now) => {
      const added = await this.memberships.add([{ teamId, segmentId, contactId }], now, transaction);
      return added.length > 0 ? { from: false, to: true } : undefined;
    });
  }

  /** Returns the id of the contact. Nothing happens if it is no member. */
  remove(principal: Principal, idOrEmail: string, segmentId: string): Promise<string> {
    return this.work.run((transaction) => this.removeIn(principal, idOrEmail, segmentId, transaction));
  }

  /** The same in a transaction of the caller. */
  removeIn(principal: Principal, idOrEmail: string, segmentId: string, transaction: Transaction): Promise<string> {
    return this.change(principal, idOrEmail, segmentId, transaction, async ({ id: contactId, teamId }) => {
      const removed = await this.memberships.remove({ teamId, segmentId, contactId }, transaction);
      return removed ? { from: true, to: false } : undefined;
    });
  }

  private async change(
    principal: Principal,
    idOrEmail: string,
    segmentId: string,
    transaction: Transaction,
    write: (contact: Contact, now: Date) => Promise<{ from: boolean; to: boolean } | undefined>,
  ): Promise<string> {
    principal.require('audience:write');
    const { teamId, actor } = principal;
    const [locked, [segment]] = await Promise.all([
      this.contacts.lock(teamId, [keyOf(idOrEmail)], transaction),
      this.segments.hold([segmentId], transaction),
    ]);
    const contact = found('Contact', locked[0]);
    requireStatic(found(segmentThing, segment?.teamId === teamId ? segment : undefined));
    const now = this.clock.now();
    const changed = await write(contact, now);
    if (changed === undefined) return contact.id;
    const changes = { [`segments.${segmentId}`]: changed };
    await this.recorder.record([{ contact, kind: 'updated', changes, actor, source: 'api' }], now, transaction);
    return contact.id;
  }
}
