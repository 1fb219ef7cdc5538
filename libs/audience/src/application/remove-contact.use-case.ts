import type { Principal } from '#identity';
import { Clock, newId, NotFoundError, Transaction, UnitOfWork } from '#kernel';
import { Suppressions } from '#suppressions';
import { Injectable } from '@nestjs/common';
import { ContactKey } from '../domain/contact.js';
import { ContactRepository, Removals } from './ports/contact-repository.port.js';
import { RecordChanges } from './record-changes.js';

/**
 * Deletes a contact and what is personal about it: its values, memberships, subscriptions and history. Its entry in the
 * suppression list stays as a keyed hash of the address, so that nothing is sent to it although nobody can read it.
 */
@Injectable()
export class RemoveContact {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly recorder: RecordChanges,
    private readonly suppressions: Suppressions,
    private readonly removals: Removals,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns the id of the contact. Throws NotFoundError if the team has no such contact. */
  async remove(principal: Principal, key: ContactKey): Promise<string> {
    const id = await this.removeIfKnown(principal, key);
    if (id === undefined) throw new NotFoundError('Contact');
    return id;
  }

  /** Undefined if the team has no such contact. */
  async removeIfKnown(principal: Principal, key: ContactKey): Promise<string | undefined> {
    return this.work.run((transaction) => this.removeIn(principal, key, transaction));
  }

  /** The same in a transaction of the caller. */
  async removeIn(principal: Principal, key: ContactKey, transaction: Transaction): Promise<string | undefined> {
    principal.require('audience:write');
    const { teamId, actor } = principal;
    const [contact] = await this.contacts.lock(teamId, [key], transaction);
    if (contact === undefined) return undefined;
    // While the contact is locked: what is removed up to now has all of its history.
    const now = this.clock.now();
    const history = { kind: 'history', teamId, subjectId: contact.id, upTo: newId(now.getTime()) } as const;
    // The event has the segments of the contact, so it is recorded before they are gone.
    await this.recorder.record([{ contact, kind: 'deleted', changes: {}, actor, source: 'api' }], now, transaction);
    await this.contacts.remove(contact, transaction);
    await this.suppressions.conceal(teamId, contact.email, transaction);
    await this.removals.add(history, now, transaction);
    return contact.id;
  }
}
