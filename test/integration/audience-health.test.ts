import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { parseFilter } from '../../libs/audience/src/domain/filters/parse-filter.js';
import { PostgresFilteredContacts } from '../../libs/audience/src/infrastructure/persistence/filters/postgres-filtered-contacts.js';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { startProgram, TestProgram } from '../support/programs/program.js';

let program: TestProgram;
let database: Database;
let filtered: PostgresFilteredContacts;
let steps: BroadcastSteps;
const everyone = parseFilter({ type: 'rule', field: 'contact.email', operator: 'ends_with', value: '.test' });

beforeAll(async () => {
  program = await startProgram({ ROLES: 'api' });
  database = program.postrider.app.get(Database);
  filtered = new PostgresFilteredContacts(database, { now: () => new Date() });
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  steps = new BroadcastSteps(database, team?.id ?? '');
});
afterAll(() => program.stop());

const execute = (text: string, ...values: unknown[]) => database.query({ text, values });

/** A team of its own, with its steps. */
async function otherTeam(): Promise<BroadcastSteps> {
  const id = newId();
  await execute(`INSERT INTO teams VALUES ($1, 'Other', now())`, id);
  return new BroadcastSteps(database, id);
}

async function gotBroadcasts(ids: readonly string[], count: number): Promise<void> {
  await execute(
    `INSERT INTO broadcast_recipients (broadcast_id, contact_id, team_id, email, email_id, outcome)
     SELECT b, c, $3, 'x', gen_random_uuid(), 'accepted' FROM unnest($1::uuid[]) AS b CROSS JOIN unnest($2::uuid[]) AS c`,
    Array.from({ length: count }, () => newId()),
    ids,
    steps.teamId,
  );
}

const active = (ids: readonly string[], columns: string, at = 'now()') =>
  execute(
    `INSERT INTO contact_activity (contact_id, ${columns})
     SELECT id, ${columns.split(',').fill(at).join(', ')} FROM unnest($1::uuid[]) AS c (id)`,
    ids,
  );

async function importOf(contactIds: readonly string[], fileName: string | null): Promise<string> {
  const id = newId();
  await execute(
    `INSERT INTO contact_imports (id, team_id, status, format, mapping, on_conflict, segment_ids, topics, size, chunk,
                                  chunk_offset, line, turn_at, created_at, file_name)
     VALUES ($1, $2, 'completed', '{}', '{}', 'upsert', '{}', '[]', 1, 0, 0, 1, now(), now(), $3)`,
    id,
    steps.teamId,
    fileName,
  );
  await execute(
    `INSERT INTO contact_changes (contact_id, id, team_id, type, source, changes, created_at)
     SELECT id, id, $2, 'created', 'import', jsonb_build_object('import', jsonb_build_object('from', null, 'to', $3::text)), now()
     FROM unnest($1::uuid[]) AS c (id)`,
    contactIds,
    steps.teamId,
    id,
  );
  return id;
}

it('tells of members who gets nothing and why, who never opens, who is new, and by which imports they came', async () => {
  const segmentId = await steps.segment();
  const topicId = await steps.topic('opt_in');
  const ids = await steps.contacts(segmentId, 40);
  const some = (from: number, to: number) => ids.slice(from, to);
  await steps.unsubscribe(some(0, 2));
  await steps.choose(ids[2] as string, topicId, 'opt_out');
  await execute(
    `INSERT INTO suppressions (id, team_id, email, origin, created_at)
     SELECT gen_random_uuid(), $1, e.email, e.origin, now() FROM (VALUES
       ('user3@sink.test', 'bounce'), ('user4@sink.test', 'bounce'), ('user0@sink.test', 'complaint'),
       ('user5@sink.test', 'manual'), ('stranger@sink.test', 'bounce')) AS e (email, origin)`,
    steps.teamId,
  );
  // Of those who got five broadcasts, two never opened one; a machine opened for one, and one clicked.
  await active(some(6, 8), 'last_sent_at');
  await active(some(8, 9), 'last_sent_at, last_machine_opened_at');
  await active(some(9, 10), 'last_sent_at, last_clicked_at');
  await gotBroadcasts(some(6, 10), 5);
  // Too few broadcasts, and none in the last year.
  await active(some(10, 11), 'last_sent_at');
  await gotBroadcasts(some(10, 11), 4);
  await active(some(11, 12), 'last_sent_at', `now() - interval '2 years'`);
  await gotBroadcasts(some(11, 12), 5);
  const names = ['a.csv', null, 'c.csv', 'd.csv', 'e.csv', 'f.csv'];
  const imports: string[] = [];
  for (const [no, name] of names.entries()) imports.push(await importOf(some(12 + no * 3, 14 + no * 3), name));
  await importOf(some(0, 1), 'of one who unsubscribed');
  await importOf(some(30, 31), 'long ago');
  await execute(`UPDATE contacts SET created_at = now() - interval '31 days' WHERE id = $1`, ids[30]);
  await importOf(some(14, 15), 'small');

  for (const [filter, topic] of [
    [null, topicId],
    [everyone, topicId],
  ] as const) {
    const measured = await filtered.measure(steps.teamId, { id: segmentId, filter }, topic);
    expect(measured).toMatchObject({
      members: 40,
      measured: 40,
      isEstimated: false,
      unsubscribed: 2,
      withoutTopic: 1,
      recipients: 34,
      suppressed: { bounce: 2, complaint: 1, manual: 1 },
      neverMailed: 28,
      engaged: 2,
      silent: 2,
      imported: 13,
    });
    expect(measured.imports.map(({ contacts }) => contacts)).toEqual([2, 2, 2, 2, 2]);
    expect(imports).toEqual(expect.arrayContaining(measured.imports.map(({ id }) => id)));
  }
  const other = await otherTeam();
  const seen = await filtered.measure(other.teamId, { id: newId(), filter: everyone }, null);
  expect(seen).toMatchObject({ members: 0, measured: 0, recipients: 0, imports: [] });
});

it('a topic that is gone leaves nobody', async () => {
  const segmentId = await steps.segment();
  await steps.contacts(segmentId, 2, 'topicless');
  const measured = await filtered.measure(steps.teamId, { id: segmentId, filter: null }, newId());
  expect(measured).toMatchObject({ members: 2, withoutTopic: 2, recipients: 0 });
});

it('looks at a sample of a large segment, and of the matches of a large team', async () => {
  const large = await otherTeam();
  const segmentId = await large.segment();
  await execute(
    `WITH made AS (
       INSERT INTO contacts (id, team_id, email, created_at, updated_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 100 = 0 THEN 'rare' ELSE 'often' END || n || '@x.test', now(), now()
       FROM generate_series(1, 40000) n RETURNING id
     )
     INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at) SELECT $2, id, $1, now() FROM made`,
    large.teamId,
    segmentId,
  );
  await execute('ANALYZE contacts, segment_contacts');
  const ofSegment = await filtered.measure(large.teamId, { id: segmentId, filter: null }, null);
  expect(ofSegment).toMatchObject({ members: 40_000, isEstimated: true });
  expect(Math.abs(ofSegment.measured - 10_000)).toBeLessThan(1_000);
  const all = await filtered.measure(large.teamId, { id: segmentId, filter: everyone }, null);
  expect(all.isEstimated).toBe(true);
  expect(Math.abs(all.members - 40_000)).toBeLessThan(5);
  const rare = parseFilter({ type: 'rule', field: 'contact.email', operator: 'starts_with', value: 'rare' });
  const few = await filtered.measure(large.teamId, { id: segmentId, filter: rare }, null);
  expect(few).toMatchObject({ members: 400, measured: 400, isEstimated: false });
});
