import { firstIdAt } from '#kernel';
import { claimed, Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

const trashMs = 30 * 86_400_000;

/** Inboxes of one run whose rows are deleted. */
const removed = '(SELECT inbox_id FROM inbox_removals ORDER BY inbox_id LIMIT 100)';

/**
 * Deletes emails past the retention, since the received and sent emails that have their contents are gone, threads
 * without emails, old trash, drafts that were sent, and what was in removed inboxes.
 */
@Injectable()
export class InboxesPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now, cutoff }: PurgeMoment): readonly Statement[] {
    const trashedBefore = new Date(now.getTime() - trashMs);
    return [
      emailsWhere('id < $1', [firstIdAt(cutoff)]),
      emailsWhere(`thread_id IN (SELECT id FROM inbox_threads WHERE trashed_at < $1 LIMIT ${maxRemovedRows})`, [
        trashedBefore,
      ]),
      threadsWhere('last_email_at < $1', [cutoff]),
      threadsWhere('trashed_at < $1', [trashedBefore]),
      {
        text: `DELETE FROM inbox_drafts WHERE id IN (
                 SELECT id FROM inbox_drafts WHERE email_id IS NOT NULL AND id < $1 ORDER BY id LIMIT ${maxRemovedRows})`,
        values: [firstIdAt(cutoff)],
      },
      emailsWhere(`inbox_id IN ${removed}`, []),
      {
        text: `DELETE FROM inbox_threads WHERE id IN (
                 SELECT id FROM inbox_threads WHERE inbox_id IN ${removed} LIMIT ${maxRemovedRows})`,
        values: [],
      },
      {
        text: `DELETE FROM inbox_drafts WHERE id IN (
                 SELECT id FROM inbox_drafts WHERE inbox_id IN ${removed} LIMIT ${maxRemovedRows})`,
        values: [],
      },
      {
        text: `DELETE FROM inbox_removals r WHERE NOT EXISTS (SELECT FROM inbox_emails e WHERE e.inbox_id = r.inbox_id)
                 AND NOT EXISTS (SELECT FROM inbox_threads t WHERE t.inbox_id = r.inbox_id)
                 AND NOT EXISTS (SELECT FROM inbox_drafts d WHERE d.inbox_id = r.inbox_id)
                 AND r.inbox_id IN ${removed}`,
        values: [],
      },
    ];
  }
}

/** Threads say what is left in them. The statement still sees the emails that it deletes. */
function emailsWhere(condition: string, values: readonly unknown[]): Statement {
  return {
    text: `WITH gone AS (
             DELETE FROM inbox_emails WHERE (inbox_id, id) IN (
               SELECT inbox_id, id FROM inbox_emails WHERE ${condition} LIMIT ${maxRemovedRows})
             RETURNING inbox_id, id, thread_id
           ), counted AS (
             UPDATE inbox_threads t SET email_count = t.email_count - c.emails, is_unread = t.is_unread AND left_over.is_unread,
               has_attachment = t.has_attachment AND left_over.has_attachment
             FROM (SELECT thread_id, count(*)::int AS emails FROM gone GROUP BY 1 ORDER BY 1) c CROSS JOIN LATERAL (
               SELECT coalesce(bool_or(e.direction = 'inbound' AND e.no > n.read_through), false) AS is_unread,
                      coalesce(bool_or(e.attachments <> '[]'), false) AS has_attachment
               FROM inbox_threads n JOIN inbox_emails e ON e.thread_id = n.id
               WHERE n.id = c.thread_id AND NOT EXISTS (SELECT FROM gone g WHERE g.inbox_id = e.inbox_id AND g.id = e.id)
             ) left_over
             WHERE t.id = c.thread_id
           )
           SELECT thread_id FROM gone`,
    values: [...values],
  };
}

/** A thread into which mail is just being filed is passed over, or no longer meets the condition once it is locked. */
function threadsWhere(condition: string, values: readonly unknown[]): Statement {
  return {
    text: `DELETE FROM inbox_threads WHERE ${claimed(
      'id',
      `FROM inbox_threads t WHERE ${condition} AND NOT EXISTS (SELECT FROM inbox_emails e WHERE e.thread_id = t.id)
       LIMIT ${maxRemovedRows}`,
    )}`,
    values: [...values],
  };
}
