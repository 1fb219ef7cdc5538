import { outcomeEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { MailEvent } from '../../application/ports/event-queue.port.js';
import { StartRuns } from '../../application/start-runs.use-case.js';
import { emailEvents } from '../../domain/event-definition.js';

/** Events of one transaction, and positions: none of a span is left out by the limit. */
const maxBatch = 5_000;

/**
 * Counts what became of emails of runs, lets runs go on that wait for it, and begins automations that begin with it. It
 * follows the events of emails. Where there are none, it reads no event.
 */
@Injectable()
export class EmailsOfRunsConsumer extends EventWorker<LoggedEmailEvent> {
  constructor(database: Database, search: WorkSearch, startRuns: StartRuns) {
    super(database, search, {
      name: 'automation-emails',
      task: 'following the emails of automations',
      log: {
        ...outcomeEventLog,
        text: `SELECT * FROM (${outcomeEventLog.text}) e
               WHERE EXISTS (SELECT FROM automation_triggers WHERE event_name LIKE 'resend:email.%')
                  OR EXISTS (SELECT FROM automation_run_steps s WHERE s.email_id = e."emailId")
               ORDER BY position`,
      },
      maxBatch,
      maxSpan: maxBatch,
      handle: async (events, transaction) => {
        const told = events.flatMap((event, no) => ofPeople(event).map((mail) => ({ no, mail })));
        const followed = await startRuns.followEmails(
          told.map(({ mail }) => mail),
          transaction,
        );
        return told[followed]?.no ?? events.length;
      },
    });
  }
}

/** What machines open and click is left out. */
function ofPeople({ emailId, seq, recipientNo, type, data }: LoggedEmailEvent): MailEvent[] {
  const name = emailEvents.find((each) => each === `resend:${type}`);
  const { open, click } = (data ?? {}) as {
    open?: { machine?: unknown };
    click?: { machine?: unknown; link?: unknown };
  };
  if (name === undefined || open?.machine === true || click?.machine === true) return [];
  const link = typeof click?.link === 'string' ? { link: click.link } : {};
  return [{ emailId, seq, recipientNo, name, payload: { email_id: emailId, ...link } }];
}
