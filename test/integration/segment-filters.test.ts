import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { checkReferences, KnownReferences } from '../../libs/audience/src/domain/filters/check-references.js';
import { activities, broadcastResults, Filter } from '../../libs/audience/src/domain/filters/filter.js';
import { parseFilter } from '../../libs/audience/src/domain/filters/parse-filter.js';
import { FilteredContact, matchesFilter } from '../support/builders/matches-filter.js';
import { activityColumns } from '../../libs/audience/src/infrastructure/persistence/filters/compile-filter.js';
import { PostgresFilteredContacts } from '../../libs/audience/src/infrastructure/persistence/filters/postgres-filtered-contacts.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const now = new Date('2026-11-30T12:00:00Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
const teamId = newId();
const topics = [newId(), newId()] as const;
const segments = [newId(), newId()] as const;
const broadcasts = [newId(), newId()] as const;
const known: KnownReferences = {
  properties: new Map([
    ['plan', 'string'],
    ['score', 'number'],
  ]),
  topics: new Map([
    [topics[0], 'opt_in'],
    [topics[1], 'opt_out'],
  ]),
  segments: new Map(segments.map((id) => [id, { isFiltered: false }])),
  broadcasts: new Set(broadcasts),
};

let testDatabase: TestDatabase;
let pool: Pool;
let filtered: PostgresFilteredContacts;
const contacts = new Map<string, FilteredContact>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  filtered = new PostgresFilteredContacts(new Database(pool), { now: () => now });
  await pool.query(`INSERT INTO teams VALUES ($1, 'Team', now()), ($2, 'Other', now())`, [teamId, otherTeam]);
  await pool.query(`INSERT INTO contact_properties (id, team_id, key, type, created_at, updated_at)
                    SELECT gen_random_uuid(), '${teamId}', key, type, now(), now() FROM (VALUES ('plan', 'string'), ('score', 'number')) p (key, type)`);
  for (const [id, byDefault] of known.topics) {
    await pool.query(
      `INSERT INTO topics (id, team_id, name, default_subscription, visibility, created_at, updated_at)
       VALUES ($1, $2, 'T', $3, 'public', now(), now())`,
      [id, teamId, byDefault],
    );
  }
  for (const id of segments) {
    await pool.query(
      `INSERT INTO segments (id, team_id, name, created_at, updated_at) VALUES ($1, $2, 'S', now(), now())`,
      [id, teamId],
    );
  }
  for (const id of broadcasts) {
    await pool.query(
      `INSERT INTO broadcasts (id, team_id, segment_id, "from", subject, status, options, created_at, updated_at)
       VALUES ($1, $2, $3, 'a@b.test', 'News', 'sent', '{}', now(), now())`,
      [id, teamId, segments[0]],
    );
  }
  for (const contact of fc.sample(contactArbitrary, { numRuns: 300, seed: 7 })) await store(contact);
  await pool.query(
    `INSERT INTO contacts (id, team_id, email, created_at, updated_at) VALUES ($1, $2, 'a@other.test', now(), now())`,
    [newId(), otherTeam],
  );
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const otherTeam = newId();

// Few values, so that conditions meet them often, with the characters that patterns and JSON treat in a special way.
const word = fc.constantFrom('Ada', 'ada', 'ÄDA', 'a%', 'a_b', 'a\\b', "o'x", '"q"', 'Ada Ä', 'b', '50%');
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });
const day = fc.integer({ min: 0, max: 40 }).map((days) => daysAgo(days));

const contactArbitrary: fc.Arbitrary<FilteredContact> = fc.record({
  email: fc
    .constantFrom('ada', 'bob', 'a_b', 'a%b')
    .chain((local) => fc.constantFrom('one.test', 'two.test').map((domain) => `${local}@${domain}`)),
  firstName: orNull(fc.oneof(word, fc.constant(''))),
  lastName: orNull(word),
  unsubscribed: fc.boolean(),
  properties: fc.record(
    { plan: fc.oneof(word, fc.constant('')), score: fc.constantFrom(-1.5, 0, 0.1, 10, 1e21) },
    { requiredKeys: [] },
  ),
  createdAt: day,
  updatedAt: day,
  topics: fc
    .dictionary(fc.constantFrom(...topics), fc.constantFrom('opt_in' as const, 'opt_out' as const))
    .map((choices) => new Map(Object.entries(choices))),
  segmentIds: fc.subarray([...segments]).map((ids) => new Set(ids)),
  broadcasts: fc
    .dictionary(fc.constantFrom(...broadcasts), fc.subarray([...broadcastResults]))
    .map((results) => new Map(Object.entries(results).map(([id, kinds]) => [id, new Set(kinds)]))),
  lastActivity: fc.record(Object.fromEntries(activities.map((activity) => [activity, day])), { requiredKeys: [] }),
});

const rule = (field: string, operator: string, value?: unknown): object => ({ type: 'rule', field, operator, value });
const textField = fc.constantFrom(
  'contact.email',
  'contact.first_name',
  'contact.last_name',
  'contact.properties.plan',
);
const days = fc.integer({ min: 1, max: 45 });
const recency = fc.constantFrom('within_days', 'not_within_days');
const ruleArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .tuple(
      textField,
      fc.constantFrom('eq', 'neq', 'contains', 'starts_with', 'ends_with'),
      fc.oneof(word, fc.constantFrom('ada@one.test', '@TWO.test', '%', '_', '\\', 'a')),
    )
    .map(([field, operator, value]) => rule(field, operator, value)),
  fc
    .tuple(fc.oneof(textField, fc.constant('contact.properties.score')), fc.constantFrom('exists', 'is_empty'))
    .map(([field, operator]) => rule(field, operator)),
  fc
    .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), fc.constantFrom(-1.5, 0, 0.1, 10, 1e21))
    .map(([operator, value]) => rule('contact.properties.score', operator, value)),
  fc
    .tuple(fc.constantFrom('eq', 'neq'), fc.boolean())
    .map(([operator, value]) => rule('contact.unsubscribed', operator, value)),
  fc
    .tuple(fc.constantFrom('created_at', 'updated_at'), fc.constantFrom('gt', 'gte', 'lt', 'lte'), day)
    .map(([field, operator, value]) => rule(`contact.${field}`, operator, value.toISOString())),
  fc
    .tuple(fc.constantFrom('created_at', 'updated_at'), recency, days)
    .map(([field, operator, value]) => rule(`contact.${field}`, operator, value)),
  fc
    .tuple(fc.constantFrom(...topics), fc.constantFrom('eq', 'neq'), fc.constantFrom('opt_in', 'opt_out'))
    .map(([id, operator, value]) => rule(`contact.topics.${id}`, operator, value)),
  fc
    .tuple(fc.constantFrom(...segments), fc.constantFrom('exists', 'is_empty'))
    .map(([id, operator]) => rule(`contact.segments.${id}`, operator)),
  fc
    .tuple(fc.constantFrom(...broadcasts), fc.constantFrom('eq', 'neq'), fc.constantFrom(...broadcastResults))
    .map(([id, operator, value]) => rule(`contact.broadcasts.${id}`, operator, value)),
  fc
    .tuple(fc.constantFrom(...activities), recency, days)
    .map(([activity, operator, value]) => rule(`contact.${activity}`, operator, value)),
  fc
    .tuple(fc.constantFrom(...activities), fc.constantFrom('exists', 'is_empty'))
    .map(([activity, operator]) => rule(`contact.${activity}`, operator)),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    ruleArbitrary,
    fc.record({ type: fc.constantFrom('and', 'or'), rules: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('not'), rule: tie('tree') }),
  ),
}));

async function store(contact: FilteredContact): Promise<void> {
  const id = newId();
  const email = `${contacts.size}.${contact.email}`;
  contacts.set(id, { ...contact, email });
  await pool.query(
    `INSERT INTO contacts (id, team_id, email, first_name, last_name, unsubscribed, properties, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      teamId,
      email,
      contact.firstName,
      contact.lastName,
      contact.unsubscribed,
      JSON.stringify(contact.properties),
      contact.createdAt,
      contact.updatedAt,
    ],
  );
  for (const [topicId, subscription] of contact.topics) {
    await pool.query(`INSERT INTO contact_topics VALUES ($1, $2, $3, $4, now())`, [id, topicId, teamId, subscription]);
  }
  for (const segmentId of contact.segmentIds) {
    await pool.query(`INSERT INTO segment_contacts VALUES ($1, $2, $3, now())`, [segmentId, id, teamId]);
  }
  for (const [broadcastId, results] of contact.broadcasts) {
    await pool.query(
      `INSERT INTO broadcast_results (broadcast_id, kind, contact_id, first_at) SELECT $1, kind, $2, now() FROM unnest($3::text[]) AS k (kind)`,
      [broadcastId, id, [...results]],
    );
  }
  const done = activities.filter((activity) => contact.lastActivity[activity] !== undefined);
  if (done.length === 0) return;
  const columns = done.map((activity) => activityColumns[activity]);
  await pool.query(
    `INSERT INTO contact_activity (contact_id, ${columns.join(', ')}) VALUES ($1, ${done.map((_, index) => `$${index + 2}`).join(', ')})`,
    [id, ...done.map((activity) => contact.lastActivity[activity])],
  );
}

function expected(filter: Filter, references = known): string[] {
  return [...contacts].filter(([, contact]) => matchesFilter(filter, contact, references, now)).map(([id]) => id);
}

async function found(filter: Filter): Promise<string[]> {
  return (await filtered.next(teamId, filter, undefined, 1_000)).map(({ id }) => id);
}

describe('a compiled filter', () => {
  it('finds the contacts that match it when each is evaluated by itself', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (json) => {
        const filter = parseFilter(JSON.parse(JSON.stringify(json)));
        checkReferences(filter, known);
        const ids = expected(filter);
        expect(await found(filter)).toEqual(ids);
        const subscribed = ids.filter((id) => contacts.get(id)?.unsubscribed === false).length;
        expect(await filtered.count(teamId, filter)).toEqual({ contacts: ids.length, subscribed });
      }),
      { numRuns: 150 },
    );
  });

  it('is read in pages in both directions', async () => {
    const filter = parseFilter(rule('contact.unsubscribed', 'eq', false));
    const ids = expected(filter).reverse();
    const first = await filtered.page(teamId, filter, { limit: 20 });
    expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([ids.slice(0, 20), true]);
    const second = await filtered.page(teamId, filter, { limit: 20, after: ids[19] });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(20, 40));
    const back = await filtered.page(teamId, filter, { limit: 20, before: ids[20] });
    expect(back.items.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    const rest = await filtered.next(teamId, filter, ids[ids.length - 1], 3);
    expect(rest.map(({ id }) => id)).toEqual([...ids].reverse().slice(1, 4));
  });

  it('finds no members of segments and topics that do not exist any more, or are those of others', async () => {
    const none = {
      properties: known.properties,
      topics: new Map(),
      segments: new Map(),
      broadcasts: new Set<string>(),
    };
    const gone = (id: string): Filter =>
      parseFilter({
        type: 'or',
        rules: [
          rule(`contact.topics.${id}`, 'eq', 'opt_in'),
          rule(`contact.segments.${id}`, 'exists'),
          rule(`contact.broadcasts.${id}`, 'eq', 'sent'),
        ],
      });
    expect(await found(gone(newId()))).toEqual([]);
    expect(await found({ kind: 'not', filter: gone(newId()) })).toHaveLength(contacts.size);
    expect(expected(gone(newId()), none)).toEqual([]);
    expect(await filtered.count(otherTeam, undefined)).toEqual({ contacts: 1, subscribed: 1 });
    expect(
      await filtered.known(otherTeam, {
        properties: ['plan'],
        topicIds: [...topics],
        segmentIds: [...segments],
        broadcastIds: [...broadcasts],
      }),
    ).toEqual({
      properties: new Map(),
      topics: new Map(),
      segments: new Map(),
      broadcasts: new Set(),
    });
  });

  it('is counted exactly in a preview, also of a large team where few contacts match', async () => {
    const setTotal = (team: string, total: number): Promise<unknown> =>
      pool.query(
        `INSERT INTO contact_counts VALUES ($1, 99, $2) ON CONFLICT (team_id, shard) DO UPDATE SET contacts = EXCLUDED.contacts`,
        [team, total],
      );
    for (const total of [0, 1_000_000]) {
      await setTotal(teamId, total);
      await fc.assert(
        fc.asyncProperty(tree, async (json) => {
          const filter = parseFilter(JSON.parse(JSON.stringify(json)));
          const ids = expected(filter);
          const subscribed = ids.filter((id) => contacts.get(id)?.unsubscribed === false).length;
          const preview = await filtered.preview(teamId, filter, 3);
          expect(preview).toMatchObject({ contacts: ids.length, subscribed, isEstimated: false });
          expect(preview.sample.map(({ id }) => id)).toEqual([...ids].reverse().slice(0, 3));
        }),
        { numRuns: 40 },
      );
    }
  });
});
