import { expect } from '@jest/globals';
import { EmailEngagements } from '#emails';
import { Database } from '#postgres/database';
import { TestProgram } from '../programs/program.js';

/** Uses the link to unsubscribe in the header of a message. */
export async function unsubscribeBy({ url }: TestProgram, mime: string): Promise<void> {
  const [, token = ''] = /\/unsubscribe\/([\w-]+)>/.exec(mime.replaceAll('\r\n ', '')) ?? [];
  const answer = await fetch(`${url}/unsubscribe/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.status).toBe(200);
}

/** Lets recipients of a subject of a broadcast click, twice each. */
export async function clickAs(
  { postrider: { app } }: TestProgram,
  broadcastId: string,
  subject: string,
  recipients: number,
  isMachine: boolean,
): Promise<void> {
  const database = app.get(Database);
  const emails = await database.query<{ id: string }>({
    text: `SELECT e.id FROM broadcast_recipients r JOIN emails e ON e.id = r.email_id
           WHERE r.broadcast_id = $1 AND e.subject = $2 LIMIT $3`,
    values: [broadcastId, subject, recipients],
  });
  const engagements = app.get(EmailEngagements, { strict: false });
  const data = { click: { link: 'https://acme.test/none', ...(isMachine ? { machine: true } : {}) } };
  await database.run((transaction) =>
    engagements.record(
      [...emails, ...emails].map(({ id: emailId }) => ({
        emailId,
        recipientNo: 0,
        event: 'email.clicked',
        data,
        isMachine,
        at: new Date(),
      })),
      transaction,
    ),
  );
}
