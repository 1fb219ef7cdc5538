import type { Principal } from '#identity';
import { Clock, found, ItemResult, Transaction, UnitOfWork, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact, ContactKey } from '../domain/contact.js';
import { ContactPatch, patched } from '../domain/contact-patch.js';
import { checkSize, checkValues, PropertyType } from '../domain/property.js';
import { typesOf } from './check-references.js';
import { AddressTakenError, ContactRepository, PropertyRepository } from './ports/contact-repository.port.js';
import { UpsertRequest } from './ports/contact-upserts.port.js';
import { ContactOutcome, RecordChanges } from './record-changes.js';

export type RequestedPatch = UpsertRequest['patch'] & { readonly email?: string };

/** What is wanted of one contact. */
export interface ContactUpdate {
  readonly key: ContactKey;
  readonly patch: RequestedPatch;
}

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
      const update = { key, patch: request };
      return await this.work.run(async (transaction) => {
        const [result] = await this.updateIn(principal, [update], transaction);
        if (result === undefined || 'error' in result) throw result?.error;
        return result.value;
      });
    } catch (error) {
      if (!(error instanceof AddressTakenError)) throw error;
      throw new ValidationError('Another contact has this `email`.');
    }
  }

  /**
   * Several in a transaction of the caller, with a few statements for all of them. They follow each other in their
   * order. An update that is refused changes nothing and leaves the others as they are.
   */
  async updateIn(
    principal: Principal,
    updates: readonly ContactUpdate[],
    transaction: Transaction,
  ): Promise<readonly ItemResult<string>[]> {
    principal.require('audience:write');
    const { teamId, actor } = principal;
    const keys = updates.map(({ key }) => key);
    const locked = await this.contacts.lock(teamId, keys, transaction);
    const types = await this.typesFor(updates, teamId, transaction);
    // While the contacts are locked, so that the history is in order.
    const now = this.clock.now();
    const states = new Map<string, Contact>();
    const outcomes: ContactOutcome[] = [];
    const results = updates.map(({ patch }, position): ItemResult<string> => {
      try {
        const stored = found('Contact', locked[position]);
        const known = states.get(stored.id) ?? stored;
        const { contact, changes } = patched(known, checked(patch, types), now);
        checkSize(contact.properties, known.properties);
        if (Object.keys(changes).length > 0) {
          states.set(stored.id, contact);
          outcomes.push({ contact, kind: 'updated', changes, actor, source: 'api' });
        }
        return { value: stored.id };
      } catch (error) {
        return { error };
      }
    });
    if (states.size > 0) {
      await this.contacts.update([...states.values()], transaction);
      await this.recorder.record(outcomes, now, transaction);
    }
    return results;
  }

  private async typesFor(
    updates: readonly ContactUpdate[],
    teamId: string,
    transaction: Transaction,
  ): Promise<Record<string, PropertyType>> {
    const haveProperties = updates.some(({ patch }) => patch.properties !== undefined);
    return haveProperties ? typesOf(await this.properties.ofTeams([teamId], transaction)) : {};
  }
}

function checked({ properties, ...rest }: RequestedPatch, types: Record<string, PropertyType>): ContactPatch {
  return properties === undefined ? rest : { ...rest, properties: checkValues(properties, types) };
}
