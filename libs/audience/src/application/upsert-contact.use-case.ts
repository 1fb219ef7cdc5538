import type { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { ContactUpserts, UpsertedContact, UpsertRequest } from './ports/contact-upserts.port.js';

export type NewContact = Omit<UpsertRequest, 'teamId' | 'actor' | 'source'>;

/**
 * Adds a contact, or changes the contact that has its address: fields that are given are set, others stay, and segments and
 * topics are added to those that the contact has.
 */
@Injectable()
export class UpsertContact {
  constructor(private readonly upserts: ContactUpserts) {}

  async upsert(principal: Principal, contact: NewContact): Promise<UpsertedContact> {
    principal.require('audience:write');
    return this.upserts.upsert({ ...contact, teamId: principal.teamId, actor: principal.actor, source: 'api' });
  }
}
