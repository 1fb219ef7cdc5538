import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { Database, ProcessNotifications } from '#postgres/database';
import { Purges } from '#postgres/retention';
import { AutomationWithGraph } from '../../libs/automations/src/domain/automation.js';
import { Graph } from '../../libs/automations/src/domain/graph.js';
import { defaultSettings } from '../../libs/automations/src/domain/settings.js';
import { AutomationsPurge } from '../../libs/automations/src/infrastructure/persistence/automations-purge.js';
import type { Listener } from '../../libs/automations/src/application/ports/event-queue.port.js';
import { PostgresAutomationRepository } from '../../libs/automations/src/infrastructure/persistence/postgres-automation-repository.js';
import { PostgresEventQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-event-queue.js';
import {
  removeAllUnusedVersions,
  removeUnusedVersions,
} from '../../libs/automations/src/infrastructure/persistence/unused-versions.js';
import { VersionGraphs } from '../../libs/automations/src/infrastructure/persistence/version-graphs.js';
import { largeGraph } from '../support/builders/large-automation.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const now = new Date();
const teamId = newId();
const { actor } = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
const listening = Graph.parse([{ key: 'start', type: 'trigger', config: { event_name: 'begun' } }], []);

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let repository: PostgresAutomationRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
  const notifications = { send: async () => undefined } as unknown as ProcessNotifications;
  repository = new PostgresAutomationRepository(database, notifications);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const charactersOfGraphs = (ofTeam: string, exceptId: string) =>
  database.run((transaction) => repository.charactersOfGraphs(ofTeam, exceptId, transaction));

async function added(graph = listening, ofTeam = teamId): Promise<AutomationWithGraph> {
  const automation: AutomationWithGraph = {
    id: newId(),
    teamId: ofTeam,
    name: 'Test',
    status: 'enabled',
    version: 1,
    actor,
    authority: null,
    createdAt: now,
    updatedAt: null,
    graph,
    settings: defaultSettings,
  };
  await database.run((transaction) => repository.insert(automation, 500, transaction));
  return automation;
}

/** A change of its steps. */
function changed(automation: AutomationWithGraph, version: number): Promise<void> {
  return database.run((transaction) => repository.update({ ...automation, version }, transaction));
}

async function addRun({ id, teamId: ofTeam }: AutomationWithGraph, version: number, endedAt?: Date): Promise<void> {
  await pool.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       status, created_at, completed_at)
     VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'start', gen_random_uuid(), 'a@b.test', '{}', $4, $5, $6)`,
    [ofTeam, id, version, endedAt === undefined ? 'running' : 'completed', now, endedAt],
  );
}

async function versionsOf({ id }: AutomationWithGraph): Promise<number[]> {
  const { rows } = await pool.query('SELECT version FROM automation_versions WHERE automation_id = $1 ORDER BY 1', [
    id,
  ]);
  return rows.map(({ version }) => version as number);
}

it('keeps the present version, and those of runs that are stored', async () => {
  const automation = await added();
  await changed(automation, 2);
  expect(await versionsOf(automation)).toEqual([2]);
  await addRun(automation, 2);
  await changed(automation, 3);
  await addRun(automation, 3, now);
  await changed(automation, 4);
  await changed(automation, 5);
  expect(await versionsOf(automation)).toEqual([2, 3, 5]);
});

it('a version goes when its last run is removed', async () => {
  const automation = await added();
  await addRun(automation, 1, new Date('2026-01-01'));
  await changed(automation, 2);
  const purge = new AutomationsPurge(new Purges());
  for (const statement of purge.leftovers({ now, cutoff: new Date('2025-01-01') })) await database.execute(statement);
  expect(await versionsOf(automation)).toEqual([1, 2]);
  for (const statement of purge.leftovers({ now, cutoff: new Date('2026-02-01') })) await database.execute(statement);
  expect(await versionsOf(automation)).toEqual([2]);
});

it('looks for the runs of versions in their indexes, also where nearly all runs have one version', async () => {
  const automation = await added();
  await pool.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       status, created_at)
     SELECT gen_random_uuid(), $1, $2, 1, gen_random_uuid(), 'start', gen_random_uuid(), 'a@b.test', '{}', 'running', $3
     FROM generate_series(1, 5000)`,
    [teamId, automation.id, now],
  );
  await pool.query('ANALYZE automation_runs');
  const { text } = removeUnusedVersions(automation.id, 1);
  const given = text.replaceAll('$1', `'${automation.id}'`).replaceAll('$2', '1');
  for (const statement of [given, removeAllUnusedVersions.text]) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('automation_runs_unfinished_of_version');
    expect(plan).not.toContain('Seq Scan on automation_runs');
  }
});

it('a version stays with which a run begins at the same time', async () => {
  const ofTeam = newId();
  const automation = await added(listening, ofTeam);
  const queue = new PostgresEventQueue(database);
  let changing: Promise<void> | undefined;
  await database.run(async (transaction) => {
    const [listener] = await queue.listeners([{ teamId: ofTeam, name: 'begun' }], transaction);
    const eventId = newId();
    const begun = {
      id: newId(),
      eventId,
      originId: eventId,
      eventPosition: 1,
      contactId: newId(),
      contactEmail: 'a@b.test',
    };
    changing = changed(automation, 2);
    // The change has time to delete what it may.
    await transaction.query({ text: 'SELECT pg_sleep(0.3)' });
    const runs =
      listener === undefined ? [] : [{ ...listener, ...begun, payload: {}, depth: 0, isAnswer: false, refusal: null }];
    await queue.begin(runs, new Map(), now, transaction);
  });
  await changing;
  expect(await versionsOf(automation)).toEqual([1, 2]);
});

it('counts all versions of a team, and the present ones of its other automations', async () => {
  const ofTeam = newId();
  const large = await added(Graph.of(largeGraph('large', 10) as never), ofTeam);
  const small = await added(listening, ofTeam);
  const before = await charactersOfGraphs(ofTeam, small.id);
  expect(before.others).toBeGreaterThan(400_000);
  expect(before.withVersions).toBe(before.others + 1_024);
  await addRun(large, 1);
  await changed(large, 2);
  const after = await charactersOfGraphs(ofTeam, small.id);
  expect(after).toEqual({ others: before.others, withVersions: 2 * before.others + 1_024 });
});

it('an event that waits for a change of an automation finds what the change has written', async () => {
  const ofTeam = newId();
  const automation = await added(listening, ofTeam);
  const queue = new PostgresEventQueue(database);
  let found: Promise<readonly Listener[]> | undefined;
  await database.run(async (transaction) => {
    await repository.update({ ...automation, version: 2 }, transaction);
    found = database.run((other) => queue.listeners([{ teamId: ofTeam, name: 'begun' }], other));
    // The search has time to come to the lock.
    await transaction.query({ text: 'SELECT pg_sleep(0.3)' });
  });
  expect((await found)?.map(({ version }) => version)).toEqual([2]);
});

it('triggers and runs whose graphs find no room are named as such, those of the last events first', async () => {
  const teams = [newId(), newId(), newId()];
  const [large, larger, small] = await Promise.all(teams.map((team) => added(listening, team)));
  await pool.query('UPDATE automation_versions SET characters = 100000000 WHERE automation_id = ANY ($1)', [
    [large?.id, larger?.id],
  ]);
  const queue = new PostgresEventQueue(database);
  const events = teams.map((team) => ({ teamId: team, name: 'begun' }));
  const listeners = await database.run((transaction) => queue.listeners(events, transaction));
  const isRead = ({ automationId, trigger }: Listener) => [automationId, trigger !== undefined];
  expect(new Map(listeners.map((each) => isRead(each) as [string, boolean]))).toEqual(
    new Map([
      [large?.id, true],
      [larger?.id, false],
      [small?.id, true],
    ]),
  );
});

it('one load holds a bounded size', async () => {
  const [large, small] = [await added(Graph.of(largeGraph('large', 10) as never)), await added()];
  await pool.query('UPDATE automation_versions SET characters = 100000000 WHERE automation_id = $1', [large.id]);
  await pool.query(
    `INSERT INTO automation_versions (automation_id, version, graph, created_at, characters)
     SELECT automation_id, 2, graph, created_at, characters FROM automation_versions WHERE automation_id = $1`,
    [large.id],
  );
  const versions = [1, 2].map((version) => ({ automationId: large.id, version }));
  const wanted = [...versions, { automationId: small.id, version: 1 }];
  const graphs = new VersionGraphs();
  await database.run(async (transaction) => {
    const { loaded, graphOf } = await graphs.loadFirst(wanted, 150_000_000, transaction);
    expect(loaded).toEqual([wanted[0], wanted[2]]);
    expect(loaded.map((version) => graphOf(version).all.length)).toEqual([11, 1]);
    const first = await graphs.loadFirst(wanted, 1_000_000, transaction);
    expect(first.loaded).toEqual([versions[0]]);
  });
});
