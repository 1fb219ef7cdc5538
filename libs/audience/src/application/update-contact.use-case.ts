import type { Principal } from '#identity';
import { Clock, found, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContactKey } from '../domain/contact.js';
import { ContactPatch, patched } from '../domain/contact-patch.js';
import { checkSize, checkValues } from '../domain/property.js';
import { typesOf } from './check-references.js';
import { AddressTakenError, ContactRepository } from './ports/contact-repository.port.js';
import { UpsertRequest } from './ports/contact-upserts.port.js';
import { PropertyRepository } from './ports/property-repository.port.js';
import { RecordChanges } from './record-changes.js';

export type RequestedPatch = UpsertRequest['patch'] & { readonly email?: string };

/** Changes the fields of a contact that a request gives. */
@Injectable()
export class UpdateContact {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly properties: PropertyRepository,
    private readonly recorder: RecordChanges,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns the id of the contact. */
  async update(principal: Principal, key: ContactKey, request: RequestedPatch): Promise<string> {
    try {
      return await this.work.run((transaction) => this.updateIn(principal, key, request, transaction));
    } catch (error) {
      if (!(error instanceof AddressTakenError)) throw error;
      throw new ValidationError('Another contact has this `email`.');
    }
  }

  /** The same in a transaction of the caller. Its statements fail only together with the transaction. */
  async updateIn(
    principal: Principal,
    key: ContactKey,
    request: RequestedPatch,
    transaction: Transaction,
  ): Promise<string> {
    principal.require('audience:write');
    const { teamId, actor } = principal;
    const [locked] = await this.contacts.lock(teamId, [key], transaction);
    const known = found('Contact', locked);
    const patch = await this.checked(teamId, request, transaction);
    // While the contact is locked, so that the history is in order.
    const now = this.clock.now();
    const { contact, changes } = patched(known, patch, now);
    checkSize(contact.properties, known.properties);
    if (Object.keys(changes).length === 0) return contact.id;
    await this.contacts.update([contact], transaction);
    await this.recorder.record([{ contact, kind: 'updated', changes, actor, source: 'api' }], now, transaction);
    return contact.id;
  }

  private async checked(teamId: string, request: RequestedPatch, transaction: Transaction): Promise<ContactPatch> {
    const { properties: given, ...rest } = request;
    if (given === undefined) return rest;
    return { ...rest, properties: checkValues(given, typesOf(await this.properties.ofTeams([teamId], transaction))) };
  }
}
