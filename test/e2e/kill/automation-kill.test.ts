import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, QueryResultRow } from 'pg';
import { Resend } from 'resend';
import { request } from 'undici';
import { AutomationSteps } from '../../support/builders/automation-steps.js';
import { ended, postImport } from '../../support/builders/contact-import-steps.js';
import {
  beginning,
  Ending,
  isRefused,
  isTroubled,
  payloadOf,
  Person,
  RandomAutomation,
  scoreOf,
  sentEvent,
} from '../../support/builders/random-automation.js';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { KillablePostgres } from '../../support/servers/killable-postgres.js';
import { StepReceiver } from '../../support/servers/step-receiver.js';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';

/** `AUTOMATION_RUNS=100000 npm run test:file -- e2e/kill/automation` is the same with more. */
const people = Number(process.env.AUTOMATION_RUNS ?? rounds(100, 200));
/** `AUTOMATION_SEED` repeats a run of this test that has failed. */
const firstSeed = Number(process.env.AUTOMATION_SEED ?? Date.now() % 1_000_000);
const sendingAtOnce = 16;
/** Between two kills. */
const calmMs = 3_000 + people / 5;
const pollMs = 300;
const stepTypes = [
  ...['trigger', 'send_email', 'delay', 'wait_for_event', 'wait_until', 'goal', 'condition', 'split', 'webhook'],
  ...['contact_update', 'contact_delete', 'add_to_segment', 'remove_from_segment', 'send_event'],
];
const withinMs = 60_000 + people * 40;

let postgres: KillablePostgres;
let receiver: StepReceiver;
let dataDir: string;
let door: ServerProgram;
const workers: ServerProgram[] = [];

async function run(roles: string): Promise<ServerProgram> {
  return runServerProgram({
    ...testEnvironment({ url: postgres.url, drop: async () => undefined }, await mkdtemp(join(dataDir, 'process-'))),
    LOG_LEVEL: 'fatal',
    ROLES: roles,
    // Nothing is delivered: this is about what is accepted.
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: 'smtp://127.0.0.1:9?tls=none',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    RATE_LIMIT_PER_SECOND: '100000',
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-automation-kill-'));
  [postgres, receiver] = await Promise.all([KillablePostgres.start(), StepReceiver.listen()]);
  door = await run('api');
  for (let no = 0; no < 2; no++) workers.push(await run('worker'));
}, 300_000);

afterAll(async () => {
  await Promise.all([door, ...workers].map((program) => program.stop()));
  await Promise.all([receiver.close(), postgres.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

/** Asks until PostgreSQL answers: it is killed, too. */
async function rows<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
  return until(async () => {
    const client = new Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<T>(text, [...values])).rows;
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('42') === true) throw error;
      return undefined;
    } finally {
      await client.end().catch(() => undefined);
    }
  }, withinMs);
}

const count = async (text: string, values: readonly unknown[] = []): Promise<number> =>
  Number((await rows<{ n: string }>(`SELECT count(*) AS n FROM ${text}`, values))[0]?.n);

interface Happened {
  readonly event: string;
  readonly contactId: string;
  readonly payload: object;
}

/**
 * Sends until the service has confirmed each event. One that it took without confirming is sent again: filters and the
 * setting `once` leave the second without effect. A contact that is gone by then had got the first.
 */
async function sendAll(events: readonly Happened[]): Promise<void> {
  const waiting = [...events];
  const sendNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const body = JSON.stringify({ event: next.event, contact_id: next.contactId, payload: next.payload });
      let tries = 0;
      await until(async () => {
        tries++;
        const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
        const answer = await request(`${door.url}/events/send`, { method: 'POST', headers, body }).catch(
          () => undefined,
        );
        await answer?.body.dump().catch(() => undefined);
        return answer?.statusCode === 202 || (answer?.statusCode === 404 && tries > 1);
      }, withinMs);
    }
  };
  await Promise.all(Array.from({ length: sendingAtOnce }, sendNext));
}

let kills = 0;

/** Of five kills three are those of workers, one that of the process with the API, and one that of PostgreSQL. */
async function killOne(): Promise<void> {
  const turn = kills++ % 5;
  if (turn === 1) {
    await door.kill();
    door = await run('api');
  } else if (turn === 3) {
    await postgres.kill();
    await delay(Math.random() * 500);
    await postgres.restart();
  } else {
    await workers.shift()?.kill();
    workers.push(await run('worker'));
  }
}

/** Kills one process after the other until the work is done, and once more than that. */
async function underKills(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined);
  do {
    await killOne();
    await Promise.race([done, delay(calmMs)]);
  } while (!isDone);
  await done;
}

/** What is called answers as the model says. Calls that are refused eight times are not waited for. */
function service(key: string): string {
  const tried = new Set<number>();
  return receiver.at(`/${encodeURIComponent(key)}`, (response, { body }) => {
    const { no } = JSON.parse(body) as { no: number };
    const fails = isRefused(no, key) || (isTroubled(no, key) && !tried.has(no));
    tried.add(no);
    if (fails) response.writeHead(503).end();
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ score: scoreOf(no, key) }));
  });
}

interface Waiting {
  readonly id: string;
  readonly contact_id: string;
  readonly step_key: string;
  readonly goals: readonly string[] | null;
  readonly is_there: boolean;
}

/** Ends when all runs are completed, or wait for what the test lets happen. */
async function settled(restingKeys: readonly string[]): Promise<void> {
  await until(async () => {
    await delay(pollMs);
    // A failed call would be made again hours later.
    await rows(
      `UPDATE automation_calls SET due_at = now() WHERE attempts > 0 AND due_at > now() + interval '1 minute'`,
    );
    if ((await count('custom_event_occurrences')) > 0) return false;
    const underway = `automation_runs WHERE status = 'running' AND NOT (is_waiting AND due_at > now() AND step_key = ANY ($1))`;
    return (await count(underway, [restingKeys])) === 0;
  }, withinMs);
}

it(
  'each run does what a model says, once, however often processes and PostgreSQL are killed',
  async () => {
    const program = {
      request: (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(`${door.url}${path}`, { ...init, headers: { authorization: `Bearer ${testApiKey}` } }),
    };
    const addresses = Array.from({ length: people }, (_, no) => `person${no}@sink.test`);
    const [, { id: importId }] = await postImport(program, ['email', ...addresses].join('\n'));
    await ended(program, importId as string, withinMs);
    const contacts = await rows<{ id: string; email: string }>('SELECT id, email FROM contacts');
    const everybody = contacts.map(({ id, email }): Person => ({ no: Number(/\d+/.exec(email)?.[0]), contactId: id }));
    expect(everybody).toHaveLength(people);
    const byContact = new Map(everybody.map((person) => [person.contactId, person]));

    const resend = new Resend(testApiKey, { baseUrl: door.url });
    const automations = new AutomationSteps(resend);
    const template = await automations.template();
    const segments = await Promise.all(
      ['One', 'Two'].map(async (name) => (await resend.segments.create({ name })).data?.id ?? ''),
    );
    const kindsReached = (of: RandomAutomation): string[] => {
      const keys = everybody.flatMap((person) => Object.keys(of.endingOf(person).steps));
      return [...new Set(keys.map((key) => of.typeOf(key)))].sort();
    };
    let seed = firstSeed;
    let model = new RandomAutomation(seed, { template, segments, service });
    // Of some graphs a kind of step stands where nobody of so few people comes.
    while (kindsReached(model).length < stepTypes.length && seed < firstSeed + 200) {
      model = new RandomAutomation(++seed, { template, segments, service });
    }
    expect(kindsReached(model)).toEqual([...stepTypes].sort());
    const create = async (body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' };
      const response = await fetch(`${door.url}/automations`, { method: 'POST', headers, body: JSON.stringify(body) });
      const { id, message } = (await response.json()) as { id?: string; message?: string };
      if (id === undefined) throw new Error(message);
      return id;
    };
    const automation = await create({
      name: `Seed ${seed}`,
      status: 'enabled',
      settings: { entry: 'once' },
      ...model.graph,
    });
    const echo = await create({
      name: 'Echo',
      status: 'enabled',
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: sentEvent } },
        {
          key: 'call',
          type: 'webhook',
          config: { url: receiver.at('/echo', (response) => response.writeHead(204).end()) },
        },
      ],
      connections: [{ from: 'start', to: 'call' }],
    });

    const begin = async (): Promise<void> => {
      await sendAll(
        everybody.map((person) => ({ event: beginning, contactId: person.contactId, payload: payloadOf(person) })),
      );
      await settled(model.restingKeys);
    };
    /** Lets something happen to each run that waits. Returns how many did. */
    const happen = async (): Promise<number> => {
      const waiting = await rows<Waiting>(
        `SELECT r.id, r.contact_id, r.step_key, r.goals, c.id IS NOT NULL AS is_there
       FROM automation_runs r LEFT JOIN contacts c ON c.id = r.contact_id
       WHERE r.status = 'running' AND r.automation_id = $1`,
        [automation],
      );
      const events: Happened[] = [];
      const inTime: string[] = [];
      for (const { id, contact_id: contactId, step_key: key, goals, is_there: isThere } of waiting) {
        const happening = model.happening(byContact.get(contactId) as Person, key, goals ?? [], isThere);
        if (happening === 'time') inTime.push(id);
        else if (happening === 'event') events.push({ event: 'awaited', contactId, payload: { step: key } });
        else events.push({ event: `reached ${goals?.[0]}`, contactId, payload: {} });
      }
      await rows(`UPDATE automation_runs SET due_at = now() WHERE id = ANY ($1) AND is_waiting`, [inTime]);
      await sendAll(events);
      await settled(model.restingKeys);
      return waiting.length;
    };
    await underKills(begin());
    for (let left = 1; left > 0;) {
      const step = happen().then((waiting) => (left = waiting));
      await underKills(step);
    }

    const endings = new Map(everybody.map((person) => [person, model.endingOf(person)]));
    const runs = await rows<{ contact_id: string; status: string; steps: Record<string, string> }>(
      `SELECT r.contact_id, r.status, (SELECT jsonb_object_agg(step_key, s.status) FROM automation_run_steps s
                                     WHERE s.run_id = r.id) AS steps
     FROM automation_runs r WHERE r.automation_id = $1`,
      [automation],
    );
    console.log(`seed ${seed}, ${kills} kills, ${runs.length} runs`);
    expect(runs).toHaveLength(people);
    const wrong = runs.flatMap(({ contact_id: contactId, status, steps }) => {
      const person = byContact.get(contactId) as Person;
      const { status: expected, steps: expectedSteps } = endings.get(person) as Ending;
      const isRight = status === expected && sorted(steps) === sorted(expectedSteps);
      return isRight ? [] : [{ no: person.no, status, steps, expected, expectedSteps }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);

    // Emails: one for each step of a run that sends, and none besides.
    const emails = await rows<{ address: string; subject: string; n: number }>(
      `SELECT r.address, e.subject, count(*)::int AS n FROM emails e JOIN recipients r ON r.email_id = e.id GROUP BY 1, 2`,
    );
    const expectedEmails = new Set(
      [...endings].flatMap(([{ no }, { emails: keys }]) => keys.map((key) => `person${no}@sink.test ${key}`)),
    );
    expect(emails.filter(({ n, address, subject }) => n !== 1 || !expectedEmails.has(`${address} ${subject}`))).toEqual(
      [],
    );
    expect(emails).toHaveLength(expectedEmails.size);

    // Contacts and segments.
    const states = await rows<{
      id: string;
      first_name: string | null;
      unsubscribed: boolean;
      segments: string[] | null;
    }>(
      `SELECT c.id, c.first_name, c.unsubscribed, (SELECT array_agg(s.segment_id::text ORDER BY s.segment_id::text)
       FROM segment_contacts s WHERE s.contact_id = c.id) AS segments FROM contacts c`,
    );
    const state = new Map(
      states.map(({ id, first_name, unsubscribed, segments: of }) => [
        id,
        { firstName: first_name, unsubscribed, segments: of ?? [] },
      ]),
    );
    const wrongContacts = [...endings].filter(
      ([{ contactId }, { contact }]) => JSON.stringify(state.get(contactId)) !== JSON.stringify(contact),
    );
    expect(
      wrongContacts.slice(0, 3).map(([person, { contact }]) => [person, contact, state.get(person.contactId)]),
    ).toEqual([]);

    // Calls: each at least once, always with the same id, and none besides.
    const callIds = new Map<string, Set<string>>();
    for (const { path, headers, body } of receiver.calls.filter((call) => call.path !== '/echo')) {
      const { no, step } = JSON.parse(body) as { no: number; step: string };
      expect(path).toBe(`/${encodeURIComponent(step)}`);
      const key = `${no} ${step}`;
      callIds.set(key, (callIds.get(key) ?? new Set()).add(String(headers['webhook-id'])));
    }
    expect([...callIds].filter(([, ids]) => ids.size !== 1)).toEqual([]);
    const expectedCalls = [...endings].flatMap(([{ no }, { calls }]) => calls.map((key) => `${no} ${key}`));
    expect([...callIds.keys()].sort()).toEqual(expectedCalls.sort());

    // Events that runs have sent began one run each, unless the contact was deleted before that.
    const echoes = await rows<{ contact_id: string; n: number }>(
      `SELECT contact_id, count(*)::int AS n FROM automation_runs WHERE automation_id = $1 AND status = 'completed' GROUP BY 1`,
      [echo],
    );
    const echoesOf = new Map(echoes.map(({ contact_id, n }) => [contact_id, n]));
    const wrongEchoes = [...endings].filter(([{ contactId }, { events, contact }]) => {
      const found = echoesOf.get(contactId) ?? 0;
      return contact === undefined ? found > events.length : found !== events.length;
    });
    expect(wrongEchoes).toEqual([]);
    expect(await count(`automation_runs WHERE status = 'running'`)).toBe(0);
    const usage = await rows<{ n: number }>('SELECT sum(runs)::int AS n FROM automation_usage');
    expect(usage[0]?.n).toBe(people + echoes.reduce((sum, { n }) => sum + n, 0));
  },
  300_000 + people * 60,
);

function sorted(steps: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(steps).sort(([a], [b]) => (a < b ? -1 : 1)));
}
