import { Database } from '#postgres/database';
import type { ExampleRequests } from '../described/example-requests.js';
import type { TestProgram } from '../programs/program.js';
import { furnishGuard } from './furnished-guard.js';
import { addMember, firstTeam } from './users.js';

/** Sends the examples of the machine room, with the session of an operator: they take no key. */
export async function sendMachineRoomExamples(program: TestProgram, send: ExampleRequests['send']): Promise<void> {
  const teamId = await firstTeam(program);
  const { id, browser } = await addMember(program, teamId, 'viewer');
  await program.postrider.app.get(Database).execute({
    text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, now())',
    values: [id],
  });
  const session = { browser, teamId };
  for (const name of ['getMachineRoom', 'getDiagnosis', 'getQueue']) await send(name, undefined, { session });
  const [domain] = await program.postrider.app
    .get(Database)
    .query<{ id: string }>({ text: `SELECT id FROM domains WHERE name = 'acme.example'` });
  await furnishGuard(program, domain?.id ?? '');
  for (const [name, example] of [['listGuards'], ['liftGuard', 'google']] as const)
    await send(name, example, { session });
  for (const name of ['pauseLane', 'resumeLane']) await send(name, 'lane', { session });
}
