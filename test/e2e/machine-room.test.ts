import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';
import { addMember, firstTeam, TestUser } from '../support/builders/users.js';

let program: TestProgram;
let teamId: string;
let operator: TestUser;
let owner: TestUser;

beforeAll(async () => {
  program = await startProgram(inOneProcess);
  teamId = await firstTeam(program);
  operator = await addMember(program, teamId, 'viewer');
  owner = await addMember(program, teamId, 'owner');
  await program.postrider.app.get(Database).execute({
    text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
    values: [operator.id],
  });
});

afterAll(() => program.stop());

async function ask(user: TestUser, path: string, body?: object): Promise<{ status: number; body: ParsedJson }> {
  const response = await user.browser.request(path, { headers: { 'x-team': teamId }, body });
  return { status: response.status, body: (await response.json()) as ParsedJson };
}

async function send(): Promise<string> {
  const { data } = await program.resend.emails.send({
    from: testSender,
    to: 'ann@example.org',
    subject: 'Hi',
    text: 'Hi',
  });
  return data?.id ?? '';
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await program.resend.emails.get(id)).data?.last_event;

describe('the machine room', () => {
  it('is for the operator only: not for owners of teams, and not for API keys', async () => {
    for (const path of ['/machine-room', '/machine-room/queue', '/machine-room/diagnosis']) {
      expect((await ask(owner, path)).status).toBe(403);
      expect((await program.request(path)).status).toBe(401);
    }
    for (const action of ['pause', 'resume']) {
      expect((await ask(owner, `/machine-room/queue/${action}`, { lane: 'a/b/c' })).status).toBe(403);
    }
  });

  it('shows the installation, and the findings of the doctor', async () => {
    const { body } = await ask(operator, '/machine-room');
    expect(body).toMatchObject({ object: 'machine_room', version: '0.1.0', disk: { accepting: true } });
    expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
    const { status, body: diagnosis } = await ask(operator, '/machine-room/diagnosis');
    expect([status, diagnosis.checks.length > 5]).toEqual([200, true]);
  });

  it('a lane that is paused delivers nothing until it is resumed, whichever worker looks for work', async () => {
    const first = await send();
    const lane = await until(() => laneOf(program));
    await until(async () => (await stateOf(first)) === 'delivered');
    expect((await ask(operator, '/machine-room/queue/pause', { lane, note: 'They asked us to' })).status).toBe(200);
    expect((await ask(operator, '/machine-room/queue/pause', { lane })).status).toBe(409);

    const second = await send();
    const shown = await until(async () => {
      const { body } = await ask(operator, '/machine-room/queue');
      return body.lanes.find((each: ParsedJson) => each.lane === lane && each.waiting === 1);
    });
    expect(shown.hold).toMatchObject({ note: 'They asked us to', actor: 'user', actor_id: operator.id });
    const { body } = await ask(operator, '/machine-room/queue');
    expect(body.workers[0]).toMatchObject({ pid: process.pid });

    const other = await startProgram({ ROLES: 'worker' }, undefined, program.database);
    // Its first sweeps end before it has sent two heartbeats.
    await until(async () => (await ask(operator, '/machine-room/queue')).body.workers.length === 2);
    await until(async () => {
      const { body: queue } = await ask(operator, '/machine-room/queue');
      const [oldest, newest] = queue.workers as ParsedJson[];
      return Date.parse(newest?.heartbeat_at) - Date.parse(newest?.started_at) > 2_500 && oldest !== undefined;
    });
    expect(await stateOf(second)).toBe('sent');
    await other.stop();

    expect((await ask(operator, '/machine-room/queue/resume', { lane })).status).toBe(200);
    expect((await ask(operator, '/machine-room/queue/resume', { lane })).status).toBe(409);
    await until(async () => (await stateOf(second)) === 'delivered');
  });

  it('refuses what is not a lane', async () => {
    const { status, body } = await ask(operator, '/machine-room/queue/pause', { lane: 'gmail.com' });
    expect([status, body.name]).toEqual([422, 'validation_error']);
    expect((await ask(operator, '/machine-room/queue/resume', {})).status).toBe(422);
  });
});

/** The lane of mail to the sandbox, from what the queue holds while it is sent. */
async function laneOf({ postrider }: TestProgram): Promise<string | undefined> {
  const [row] = await postrider.app.get(Database).query<{ name: string }>({
    text: `SELECT name FROM lanes ORDER BY taken_at DESC LIMIT 1`,
  });
  return row?.name;
}
