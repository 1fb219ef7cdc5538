import type { Principal } from '#identity';
import { Clock, found, newId, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Erasure } from '../domain/erasure.js';
import { AddressHash } from './ports/address-hash.port.js';
import { ErasureRepository } from './ports/erasure-repository.port.js';

/** The request itself is logged with the address shortly after it is answered; the erasure must find that log. */
const logsAfterMs = 2_000;

/** Takes requests to erase an address, and shows what became of them. */
@Injectable()
export class RequestErasure {
  constructor(
    private readonly erasures: ErasureRepository,
    private readonly hash: AddressHash,
    private readonly clock: Clock,
  ) {}

  /** @param address in lower case. */
  async execute(principal: Principal, address: string): Promise<Erasure> {
    principal.require('privacy:erase');
    const { teamId, actor } = principal;
    const createdAt = this.clock.now();
    const erasure: Erasure = {
      id: newId(createdAt.getTime()),
      teamId,
      addressHash: await this.hash.of(teamId, address),
      status: 'pending',
      counts: {},
      isWaiting: false,
      actor,
      createdAt,
      completedAt: null,
    };
    await this.erasures.insert(erasure, address, new Date(createdAt.getTime() + logsAfterMs));
    return erasure;
  }

  async find(teamId: string, id: string): Promise<Erasure> {
    return found('Erasure', await this.erasures.find(teamId, id));
  }

  list(teamId: string, page: PageRequest): Promise<Page<Erasure>> {
    return this.erasures.list(teamId, page);
  }
}
