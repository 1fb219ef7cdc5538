import { DatabaseTransaction } from '#postgres/database';
import { LockedRecipient } from '../../application/ports/email-repository.port.js';

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
