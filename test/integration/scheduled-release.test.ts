import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutboundQueue } from '#emails';
import { Database } from '#platform/database';
import { PostgresScheduledEmails } from '../../libs/emails/src/infrastructure/persistence/postgres-scheduled-emails.js';
import { ScheduledEmails } from '../../libs/emails/src/application/ports/scheduled-emails.port.js';
import { RecipientScreening } from '../../libs/emails/src/application/acceptance/recipient-screening.js';
import { startProgram, testSender, TestProgram } from '../support/program.js';

let program: TestProgram;
let database: Database;

beforeAll(async () => {
  program = await startProgram({ ROLES: 'api' });
  database = program.postrider.app.get(Database);
});

afterAll(() => program.stop());

it('whether its recipients may get different content is known when it is delivered', async () => {
  const { data } = await program.resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' });
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const email = { from: testSender, to: ['a@sink.test', 'b@sink.test'], subject: 'S', text: 'T' };
  for (const fields of [{}, { scheduledAt }, { topicId: data?.id }, { topicId: data?.id, scheduledAt }]) {
    expect((await program.resend.emails.send({ ...email, ...fields })).error).toBeNull();
  }
  const app = program.postrider.app;
  await app.get(ScheduledEmails, { strict: false }).release(new Date(Date.now() + 120_000), 10);

  const queued = await database.query({
    text: `SELECT e.topic_id IS NOT NULL AS "hasTopic", e.scheduled_at IS NOT NULL AS "isScheduled", q.is_personal AS "isPersonal"
           FROM outbound_queue q JOIN emails e ON e.id = q.email_id ORDER BY 1, 2`,
  });
  const kinds = queued.map(({ hasTopic, isScheduled, isPersonal }) => [hasTopic, isScheduled, isPersonal ?? false]);
  const each = (hasTopic: boolean): boolean[][] => [false, false, true, true].map((at) => [hasTopic, at, hasTopic]);
  expect(kinds).toEqual([...each(false), ...each(true)]);
  await database.execute({ text: 'TRUNCATE outbound_queue' });
});

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
