import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutboundQueue } from '#emails';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { PostgresScheduledEmails } from '../../libs/emails/src/infrastructure/persistence/postgres-scheduled-emails.js';
import { ScheduledEmails } from '../../libs/emails/src/application/ports/outbound-queue.port.js';
import { RecipientScreening } from '../../libs/emails/src/application/recipient-screening.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';

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

/** Due rows of the schedule of another team, without their emails. */
const flood = (count: number): Promise<unknown> =>
  database.execute({
    text: `INSERT INTO scheduled_emails (email_id, team_id, due_at)
           SELECT gen_random_uuid(), $1, now() - interval '1 hour' FROM generate_series(1, $2)`,
    values: [newId(), count],
  });

it.each([
  ['of another team', false],
  // Its row has no team.
  ['that a process of the previous version accepted', true],
])('the due mail of one team does not stand before mail %s', async (_, isOfPrevious) => {
  await flood(100);
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const email = { from: testSender, to: 'turn@sink.test', subject: 'S', text: 'T', scheduledAt };
  const { data } = await program.resend.emails.send(email);
  const byTeam = { text: 'SELECT FROM scheduled_emails WHERE team_id IN (SELECT id FROM teams)' };
  expect(await database.query(byTeam)).toHaveLength(1);
  if (isOfPrevious)
    await database.execute({
      text: 'UPDATE scheduled_emails SET team_id = NULL WHERE email_id = $1',
      values: [data?.id],
    });
  const scheduled = program.postrider.app.get(ScheduledEmails, { strict: false });
  const release = (): Promise<number> => scheduled.release(new Date(Date.now() + 120_000), 10);
  const lastEvent = async (): Promise<string | undefined> =>
    (await program.resend.emails.get(data?.id ?? '')).data?.last_event;

  expect(await release()).toBe(10);
  expect(await lastEvent()).toBe('scheduled');
  expect(await release()).toBe(10);
  expect(await lastEvent()).toBe('sent');
  while ((await release()) > 0);
  expect(await database.query({ text: 'SELECT FROM scheduled_emails' })).toEqual([]);
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
