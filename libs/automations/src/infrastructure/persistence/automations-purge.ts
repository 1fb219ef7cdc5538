import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { removeAllUnusedVersions } from './unused-versions.js';

const dayMs = 86_400_000;

/** Deletes runs that ended before the retention began, with their steps and the versions that only they needed. */
@Injectable()
export class AutomationsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff, now }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `WITH old AS MATERIALIZED (
                 SELECT id FROM automation_runs WHERE completed_at < $1 ORDER BY completed_at LIMIT ${maxRemovedRows}
               ), steps AS (DELETE FROM automation_run_steps WHERE run_id IN (SELECT id FROM old))
               DELETE FROM automation_runs WHERE id IN (SELECT id FROM old)`,
        values: [cutoff],
      },
      removeAllUnusedVersions,
      {
        text: `DELETE FROM custom_event_payloads WHERE id IN (
                 SELECT id FROM custom_event_payloads WHERE created_at < $1 ORDER BY created_at LIMIT ${maxRemovedRows})`,
        values: [cutoff],
      },
      {
        text: `DELETE FROM automation_daily_emails WHERE (contact_id, day) IN (
                 SELECT contact_id, day FROM automation_daily_emails WHERE day < $1::date LIMIT ${maxRemovedRows})`,
        values: [new Date(now.getTime() - 3 * dayMs)],
      },
      {
        text: `DELETE FROM automation_answers WHERE (automation_id, author) IN (
                 SELECT automation_id, author FROM automation_answers WHERE answered_at < $1 LIMIT ${maxRemovedRows})`,
        values: [new Date(now.getTime() - 3 * dayMs)],
      },
      {
        text: `DELETE FROM automation_caused_changes WHERE contact_id IN (
                 SELECT contact_id FROM automation_caused_changes WHERE changed_at < $1 LIMIT ${maxRemovedRows})`,
        values: [new Date(now.getTime() - 3 * dayMs)],
      },
    ];
  }
}
