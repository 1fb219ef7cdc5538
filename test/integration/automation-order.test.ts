import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import type {
  ConsentingContacts,
  ContactSegments,
  ContactValues,
  RemoveContact,
  UpdateContact,
  UpsertContact,
} from '#audience';
import type { SendInTransaction } from '#emails';
import { newId } from '#kernel';
import { Database, ProcessNotifications } from '#postgres/database';
import { AdvanceRuns } from '../../libs/automations/src/application/advance-runs.use-case.js';
import { AdvanceSlice } from '../../libs/automations/src/application/advance-slice.js';
import { ContactsOfEvents } from '../../libs/automations/src/application/contacts-of-events.js';
import { DoEffects } from '../../libs/automations/src/application/do-effects.js';
import type { NoteEvents } from '../../libs/automations/src/application/note-events.use-case.js';
import { StartRuns } from '../../libs/automations/src/application/start-runs.use-case.js';
import { Graph } from '../../libs/automations/src/domain/graph.js';
import { defaultSettings } from '../../libs/automations/src/domain/settings.js';
import { PostgresAutomationRepository } from '../../libs/automations/src/infrastructure/persistence/postgres-automation-repository.js';
import { PostgresEventQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-event-queue.js';
import { PostgresEventRepository } from '../../libs/automations/src/infrastructure/persistence/postgres-event-repository.js';
import { PostgresRunQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-run-queue.js';
import { randomFrom } from '../support/builders/random-automation.js';
import { FakeClock } from '../support/fakes/fake-clock.js';
import { InMemoryEvents } from '../support/fakes/in-memory-automations.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

/** `AUTOMATION_SEED` repeats a run of this test that has failed, and `AUTOMATION_ROUNDS` makes a longer one. */
const firstSeed = Number(process.env.AUTOMATION_SEED ?? 1);
const rounds = Number(process.env.AUTOMATION_ROUNDS ?? 5);
const people = 12;
const eventsOfPerson = 14;

let testDatabase: TestDatabase;
const pools: Pool[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

afterAll(() => testDatabase.drop());

function connected(): Database {
  const pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  pools.push(pool);
  return new Database(pool);
}

interface Happening {
  readonly name: string;
  readonly n: number;
}

interface Contact {
  readonly id: string;
  readonly email: string;
}

/** A step that listens: a wait goes on along `event_received` and along `timeout` to the next one, a goal ends the run. */
interface Listening {
  readonly type: 'wait_for_event' | 'goal' | 'delay';
  readonly name: string;
  readonly least: number;
}

/** For each step of a run which event it took, `null` if none came. */
type Story = readonly (number | null)[];

/** What the documentation says: an event counts for a run if it was accepted after the one that began it, and once for its waits. */
function expected(steps: readonly Listening[], happened: readonly Happening[], began: number): Story {
  const taken = new Map<string, number>();
  const story: (number | null)[] = [];
  for (const { type, name, least } of steps) {
    if (type === 'delay') continue;
    const after = taken.get(name) ?? began;
    const at = happened.findIndex((event, no) => no > after && event.name === name && event.n >= least);
    story.push(at === -1 ? null : (happened[at]?.n ?? null));
    if (at === -1) continue;
    if (type === 'goal') return [...story.slice(0, -1), -1];
    taken.set(name, at);
  }
  return story;
}

/** A goal comes first, and a wait for what never happens last: whether the goal is reached does not depend on when the run ends. */
function randomSteps(random: () => number): readonly Listening[] {
  const names = ['paid', 'left'];
  const length = 1 + Math.floor(random() * 4);
  const steps = Array.from({ length }, (): Listening => {
    const type = random() < 0.2 ? 'delay' : 'wait_for_event';
    return { type, name: names[Math.floor(random() * 2)] ?? '', least: Math.floor(random() * 6) };
  });
  if (random() < 0.7) return steps;
  const goal = { type: 'goal', name: 'paid', least: Math.floor(random() * 10) } as const;
  return [goal, ...steps, { type: 'wait_for_event', name: 'never', least: 0 }];
}

function graphOf(steps: readonly Listening[]): Graph {
  const all = steps.map(({ type, name, least }, no) => {
    const filter_rule = { type: 'rule', field: 'event.n', operator: 'gte', value: least };
    const listens = { event_name: name, filter_rule };
    const config =
      type === 'delay' ? { duration: '1 hour' } : type === 'goal' ? listens : { ...listens, timeout: '10 days' };
    return { key: `step ${no}`, type, config };
  });
  const connections = all.slice(1).flatMap((step, no) => {
    const from = all[no];
    const types = from?.type === 'wait_for_event' ? ['event_received', 'timeout'] : ['default'];
    return types.map((type) => ({ from: from?.key, to: step.key, type }));
  });
  return Graph.parse(
    [{ key: 'start', type: 'trigger', config: { event_name: 'begun' } }, ...all],
    [{ from: 'start', to: 'step 0' }, ...connections],
  );
}

/** Two workers and a door, each with connections of its own, and contacts that are there. */
class World {
  readonly teamId = newId();
  readonly clock = new FakeClock();
  readonly contacts = Array.from({ length: people }, (): Contact => {
    const id = newId();
    return { id, email: `${id}@sink.test` };
  });
  private readonly door = connected();
  private readonly notifications = {
    on: () => undefined,
    send: async () => undefined,
  } as unknown as ProcessNotifications;
  private readonly events = new PostgresEventRepository(this.door, this.notifications);
  readonly workers = [this.worker(), this.worker()];

  private worker(): { readonly starts: StartRuns; readonly advances: AdvanceRuns } {
    const { clock, contacts } = this;
    const database = connected();
    const values = {
      of: async (_team: string, emails: readonly string[]) =>
        new Map(contacts.filter(({ email }) => emails.includes(email)).map((each) => [each.email, each])),
      propertiesOf: async () => [],
    } as unknown as ContactValues;
    const consenting = {
      read: async ({ ids }: { ids: readonly string[] }) =>
        new Map(
          contacts
            .filter(({ id }) => ids.includes(id))
            .map((each) => [each.id, { ...each, properties: {}, unsubscribed: false }]),
        ),
    } as unknown as ConsentingContacts;
    const sending = { isOtherMailComing: false, accept: async () => ({ send: async () => () => undefined }) };
    const effects = new DoEffects(
      sending as unknown as SendInTransaction,
      {} as UpdateContact,
      {} as RemoveContact,
      {} as ContactSegments,
      new InMemoryEvents(),
      clock,
    );
    const eventQueue = new PostgresEventQueue(database);
    const runQueue = new PostgresRunQueue(database);
    const noted = { note: () => undefined } as unknown as NoteEvents;
    const ofEvents = new ContactsOfEvents(values, consenting, {} as UpsertContact);
    const slice = new AdvanceSlice(runQueue, effects, consenting, values, clock);
    return {
      starts: new StartRuns(eventQueue, ofEvents, noted, database, clock),
      advances: new AdvanceRuns(runQueue, slice, effects, database, clock),
    };
  }

  async addAutomation(graph: Graph): Promise<string> {
    const repository = new PostgresAutomationRepository(this.door, this.notifications);
    const id = newId();
    const createdAt = this.clock.now();
    const named = { name: 'A', status: 'enabled', actor: { kind: 'service' } } as const;
    const automation = {
      ...named,
      id,
      teamId: this.teamId,
      version: 1,
      settings: defaultSettings,
      graph,
      authority: null,
      createdAt,
      updatedAt: null,
    };
    await this.door.run((transaction) => repository.insert(automation, 500, transaction));
    return id;
  }

  /** Resolves once they are accepted. By its id or by its address. */
  send({ id, email }: Contact, happened: readonly Happening[], byId: boolean): Promise<void> {
    const occurrences = happened.map(({ name, n }) => ({
      id: newId(this.clock.now().getTime()),
      teamId: this.teamId,
      name,
      contactId: byId ? id : null,
      email: byId ? null : email,
      subjectId: null,
      originId: null,
      payload: { n },
      depth: 0,
    }));
    return this.door.run((transaction) => this.events.sendIn(occurrences, transaction));
  }

  async stories(automationId: string, contactId: string): Promise<ReadonlyMap<number, Story>> {
    const rows = await this.door.query<{ began: number; steps: { type: string; output: StepOutput }[] }>({
      text: `SELECT (r.payload ->> 'n')::int AS began, json_agg(s ORDER BY s.step_key) AS steps
             FROM automation_runs r JOIN automation_run_steps s ON s.run_id = r.id AND s.type IN ('wait_for_event', 'goal')
             WHERE r.automation_id = $1 AND r.contact_id = $2 AND r.status = 'completed' GROUP BY r.id`,
      values: [automationId, contactId],
    });
    return new Map(rows.map(({ began, steps }) => [began, storyOf(steps)]));
  }

  /** Until nothing is left to do at the present time. */
  async settle(): Promise<void> {
    for (let done = 1; done > 0;) {
      const counts = await Promise.all(
        this.workers.flatMap(({ starts, advances }) => [starts.step(false), advances.step()]),
      );
      done = counts.reduce((sum, count) => sum + count, 0);
    }
  }
}

interface StepOutput {
  readonly reached?: boolean;
  readonly payload?: { readonly n: number };
}

function storyOf(steps: readonly { readonly type: string; readonly output: StepOutput | null }[]): Story {
  const isReached = steps.some(({ output }) => output?.reached === true);
  const story = steps
    .filter(({ type, output }) => type !== 'goal' || (output?.reached !== true && !isReached))
    .filter(({ output }) => output !== null && !('reason' in output))
    .map(({ output }) => output?.payload?.n ?? null);
  return isReached ? [-1] : story;
}

/** A goal ends a run at any step, so that only this is compared. */
const shown = (story: Story): Story => (story.includes(-1) ? [-1] : story);

it.each(Array.from({ length: rounds }, (_, no) => firstSeed + no))(
  'a run sees each event that was accepted after the one that began it, with two workers (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const world = new World();
    const plans = Array.from({ length: 5 }, () => randomSteps(random));
    const automations: string[] = [];
    for (const steps of plans) automations.push(await world.addAutomation(graphOf(steps)));
    const names = ['begun', 'begun', 'paid', 'left', 'unheard'];
    const happened = world.contacts.map(() =>
      Array.from({ length: eventsOfPerson }, (_, n): Happening => ({ name: names[Math.floor(random() * 5)] ?? '', n })),
    );
    const sentOf = happened.map(() => 0);
    while (sentOf.some((sent) => sent < eventsOfPerson)) {
      // The events of one contact are sent one behind the other, or together. All else happens at the same time.
      const sends = happened.flatMap((events, no) => {
        if (random() < 0.5) return [];
        const from = sentOf[no] ?? 0;
        const to = Math.min(eventsOfPerson, from + 1 + Math.floor(random() * random() * 5));
        sentOf[no] = to;
        const contact = world.contacts[no] as Contact;
        return from === to ? [] : [world.send(contact, events.slice(from, to), random() < 0.5)];
      });
      const steps = world.workers.flatMap(({ starts, advances }) => [
        ...(random() < 0.6 ? [starts.step(random() < 0.5)] : []),
        ...(random() < 0.6 ? [advances.step()] : []),
      ]);
      await Promise.all([...sends, ...steps]);
      if (random() < 0.05) world.clock.advance(3_600_000);
    }
    await world.settle();
    // Delays end, and then each wait in its turn.
    for (let no = 0; no < 6; no++) {
      world.clock.advance(3_600_000);
      await world.settle();
    }
    for (let no = 0; no < 6; no++) {
      world.clock.advance(11 * 86_400_000);
      await world.settle();
    }
    for (const [no, steps] of plans.entries()) {
      for (const [person, events] of happened.entries()) {
        const { id } = world.contacts[person] as Contact;
        const begins = events.flatMap(({ name }, at) => (name === 'begun' ? [at] : []));
        const stories = await world.stories(automations[no] ?? '', id);
        const told = begins.map((at) => [at, shown(stories.get(at) ?? [])]);
        const model = begins.map((at) => [at, expected(steps, events, at)]);
        expect({ person, steps, events, told }).toEqual({ person, steps, events, told: model });
      }
    }
  },
  120_000,
);
