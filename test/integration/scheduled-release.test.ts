import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutboundQueue } from '#emails';
import { Database } from '#platform/database';
import { PostgresScheduledEmails } from '../../libs/emails/src/infrastructure/persistence/postgres-scheduled-emails.js';
import { RecipientScreening } from '../../libs/emails/src/application/acceptance/recipient-screening.js';
import { startProgram, testSender, TestProgram } from '../support/program.js';

let program: TestProgram;
let database: Database;

beforeAll(async () => {
  program = await startProgram({ ROLES: 'api' });
  database = program.postrider.app.get(Database);
});

afterAll(() => program.stop());

it('mail of a domain that is deleted while it is released is queued, so that delivery ends it', async () => {
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const { data } = await program.resend.emails.send({
    from: testSender,
    to: 'a@sink.test',
    subject: 'S',
    text: 'T',
    scheduledAt,
  });
  // Runs in the middle of the release, after the domain was seen.
  const screening = {
    verdicts: async () => {
      await database.execute({ text: 'DELETE FROM domains' });
      return () => undefined;
    },
  } as unknown as RecipientScreening;
  const queue = program.postrider.app.get(OutboundQueue, { strict: false });
  const scheduled = new PostgresScheduledEmails(database, queue, screening);

  expect(await scheduled.release(new Date(Date.now() + 120_000), 10)).toBe(1);

  const queued = await database.query({ text: 'SELECT email_id AS id FROM outbound_queue' });
  expect(queued).toEqual([{ id: data?.id }]);
});
