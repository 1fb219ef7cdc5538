import { Database, longLimits } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { maxRemovedRows, PurgeMoment, Purges } from './purge.js';

/** What has outlived its use and is in no partition. */
@Injectable()
export class Leftovers {
  constructor(
    private readonly purges: Purges,
    private readonly database: Database,
  ) {}

  async remove(moment: PurgeMoment): Promise<void> {
    for (const statement of this.purges.all.flatMap((purge) => purge.leftovers(moment))) {
      while ((await this.database.execute({ ...statement, limits: longLimits })) === maxRemovedRows);
    }
    for (const purge of this.purges.all) await purge.removeOld(moment);
  }
}
