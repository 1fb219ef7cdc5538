import type { Principal } from '#identity';
import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ApplyUpserts } from './apply-upserts.js';
import { ContactUpserts, UpsertedContact, UpsertRequest } from './ports/contact-upserts.port.js';

export type NewContact = Omit<UpsertRequest, 'teamId' | 'actor' | 'source'>;

/**
 * Adds a contact, or changes the contact that has its address: fields that are given are set, others stay, and segments and
 * topics are added to those that the contact has.
 */
@Injectable()
export class UpsertContact {
  constructor(
    private readonly upserts: ContactUpserts,
    private readonly applying: ApplyUpserts,
  ) {}

  async upsert(principal: Principal, contact: NewContact): Promise<UpsertedContact> {
    principal.require('audience:write');
    return this.upserts.upsert({ ...contact, teamId: principal.teamId, actor: principal.actor, source: 'api' });
  }

  /**
   * Adds the contacts of addresses that have none, in a transaction of the caller. Returns their ids, in order.
   * Undefined: the address is refused.
   */
  async addIn(
    principal: Principal,
    emails: readonly string[],
    transaction: Transaction,
  ): Promise<readonly (string | undefined)[]> {
    principal.require('audience:write');
    const { teamId, actor } = principal;
    const requests = emails.map((email) => ({
      teamId,
      actor,
      source: 'api' as const,
      email,
      patch: {},
      segmentIds: [],
      topics: [],
    }));
    const results = await this.applying.apply(requests, transaction);
    return results.map((result) => ('value' in result ? result.value.id : undefined));
  }
}
