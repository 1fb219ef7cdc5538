import type { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { DataHolders } from './ports/data-holders.port.js';

export interface ExportedList {
  readonly name: string;
  readonly records: AsyncIterable<object>;
}

/** Reads everything that is stored about an address, list by list, as fast as it is taken. */
@Injectable()
export class ExportPersonalData {
  constructor(private readonly data: DataHolders) {}

  /** @param address in lower case. */
  execute(principal: Principal, address: string): readonly ExportedList[] {
    principal.require('privacy:export');
    const subject = { teamId: principal.teamId, address };
    return this.data.names.map((name) => ({ name, records: this.data.records(name, subject) }));
  }
}
