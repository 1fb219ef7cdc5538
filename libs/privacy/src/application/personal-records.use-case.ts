import type { Principal } from '#identity';
import { Suppressions } from '#suppressions';
import { Clock, found, newId, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Erasure } from '../domain/erasure.js';
import { DataHolders, ErasureRepository } from './ports/erasure-repository.port.js';

/** The request itself is logged with the address shortly after it is answered; the erasure must find that log. */
const logsAfterMs = 2_000;

export interface ExportedList {
  readonly name: string;
  readonly records: AsyncIterable<object>;
}

/** Everything that is stored about an address: its export, and the requests to erase it. Addresses are in lower case. */
@Injectable()
export class PersonalRecords {
  constructor(
    private readonly data: DataHolders,
    private readonly erasures: ErasureRepository,
    private readonly suppressions: Suppressions,
    private readonly clock: Clock,
  ) {}

  /** Reads list by list, as fast as the records are taken. */
  export(principal: Principal, address: string): readonly ExportedList[] {
    principal.require('privacy:export');
    const subject = { teamId: principal.teamId, address };
    return this.data.names.map((name) => ({ name, records: this.data.records(name, subject) }));
  }

  async requestErasure(principal: Principal, address: string): Promise<Erasure> {
    principal.require('privacy:erase');
    const { teamId, actor } = principal;
    const createdAt = this.clock.now();
    const erasure: Erasure = {
      id: newId(createdAt.getTime()),
      teamId,
      addressHash: await this.suppressions.hashOf(teamId, address),
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

  async findErasure(teamId: string, id: string): Promise<Erasure> {
    return found('Erasure', await this.erasures.find(teamId, id));
  }

  listErasures(teamId: string, page: PageRequest): Promise<Page<Erasure>> {
    return this.erasures.list(teamId, page);
  }
}
