import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

const dayMs = 86_400_000;

/** Removes old imports with their reports, and files that no import was made of, or whose removal failed. */
@Injectable()
export class ImportsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now, cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM contact_import_refusals r USING (
                 SELECT import_id, line FROM contact_import_refusals WHERE import_id < $1 LIMIT ${maxRemovedRows}) old
               WHERE r.import_id = old.import_id AND r.line = old.line`,
        values: [firstIdAt(cutoff)],
      },
      {
        text: `DELETE FROM contact_imports WHERE id IN (
                 SELECT id FROM contact_imports WHERE id < $1 AND completed_at IS NOT NULL LIMIT ${maxRemovedRows})`,
        values: [firstIdAt(cutoff)],
      },
      {
        // A chunk is 512 KB, so few of them are removed at once.
        text: `DELETE FROM contact_import_chunks c USING (
                 SELECT import_id, no FROM contact_import_chunks o
                 WHERE import_id < $1
                   AND NOT EXISTS (SELECT FROM contact_imports i WHERE i.id = o.import_id AND i.completed_at IS NULL)
                 LIMIT ${maxRemovedRows}) left_over
               WHERE c.import_id = left_over.import_id AND c.no = left_over.no`,
        values: [firstIdAt(new Date(now.getTime() - dayMs))],
      },
    ];
  }
}
