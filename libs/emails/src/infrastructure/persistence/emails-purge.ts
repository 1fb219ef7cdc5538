import { Partition } from '#postgres/database';
import { Purge, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { MessageStore } from '../../application/ports/message-store.port.js';

/** The last table of this lib that is dropped for a day. While it exists, the purge of the day is not finished. */
const lastTable = 'recipients';

/** Removes the bytes of a day that are stored outside the database, when the day's last table is dropped. */
@Injectable()
export class EmailsPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly store: MessageStore,
  ) {
    super(purges);
  }

  override async beforeDrop({ table, day }: Partition): Promise<void> {
    if (table === lastTable) await this.store.removeDay(day);
  }
}
