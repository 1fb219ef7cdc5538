import { Partition } from '#platform/database';
import { Purge, Purges } from '#platform/retention';
import { Injectable } from '@nestjs/common';
import { MessageStore } from '../../application/ports/message-store.port.js';

/** The last of this lib's tables that is dropped: while it is there, the day is not finished. */
const lastTable = 'recipients';

/** Removes the stored bytes of a day, where they lie outside of the database, together with the day's last table. */
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
