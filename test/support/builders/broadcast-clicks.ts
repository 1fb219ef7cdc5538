import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EmailEngagements } from '#emails';
import { Database } from '#postgres/database';

/** Lets a recipient of a broadcast click a link some times. */
export async function recordClicks(
  app: NestFastifyApplication,
  broadcastId: string,
  address: string,
  link: string,
  times: number,
): Promise<void> {
  const database = app.get(Database);
  const [email] = await database.query<{ id: string }>({
    text: 'SELECT email_id AS id FROM broadcast_recipients WHERE broadcast_id = $1 AND email = $2',
    values: [broadcastId, address],
  });
  const engagement = { emailId: email?.id ?? '', recipientNo: 0, event: 'email.clicked', isMachine: false } as const;
  const events = Array.from({ length: times }, () => ({ ...engagement, data: { click: { link } }, at: new Date() }));
  await database.run((transaction) => app.get(EmailEngagements, { strict: false }).record(events, transaction));
}
