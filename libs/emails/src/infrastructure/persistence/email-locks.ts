import { DatabaseTransaction } from '#postgres/database';
import { LockedRecipient } from '../../application/ports/email-repository.port.js';

/**
 * Locks the emails of the rows of a table expression, in the order of their ids, and returns their ids. Every statement
 * that changes recipients of several emails does this first, so that two such statements cannot deadlock. The lock of
 * an email also covers its recipients. $2 and $3 are the bounds of the ids.
 *
 * This must not be a LATERAL look-up per row. Where another transaction has changed an email meanwhile, PostgreSQL
 * rechecks the new version of its row without the outer row, and the email would be missing from the result.
 */
export function lockedEmails(rows: string): string {
  return `
        SELECT id FROM emails WHERE id = ANY (ARRAY(SELECT email_id FROM ${rows})) AND id BETWEEN $2 AND $3
        ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Reads the state of one recipient and locks it until the transaction ends. The lock is that of its email, which every
 * change of recipients takes first.
 */
export async function lockRecipient(
  emailId: string,
  no: number,
  transaction: DatabaseTransaction,
): Promise<LockedRecipient | undefined> {
  const [email] = await transaction.query<{ teamId: string }>({
    text: 'SELECT team_id AS "teamId" FROM emails WHERE id = $1 FOR NO KEY UPDATE',
    values: [emailId],
  });
  if (email === undefined) return undefined;
  // A separate statement, so that it sees what the previous holder of the lock has committed.
  const [recipient] = await transaction.query<Omit<LockedRecipient, 'teamId'>>({
    text: `SELECT address, status, EXISTS (
             SELECT FROM email_events v
             WHERE v.email_id = $1 AND v.recipient_no = $2 AND v.type = 'email.delivery_delayed'
           ) AS "wasDelayed" FROM recipients WHERE email_id = $1 AND no = $2`,
    values: [emailId, no],
  });
  return recipient === undefined ? undefined : { ...recipient, ...email };
}
