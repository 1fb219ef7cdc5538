import type { Browser } from '../clients/browser.js';
import { Database } from '#postgres/database';
import type { ExampleRequests } from '../described/example-requests.js';
import type { TestProgram } from '../programs/program.js';
import { furnishGuard } from './furnished-guard.js';
import { addMember, firstTeam } from './users.js';

interface Session {
  readonly browser: Browser;
  readonly teamId: string;
}

export async function operatorOf(program: TestProgram): Promise<Session> {
  const teamId = await firstTeam(program);
  const { id, browser } = await addMember(program, teamId, 'viewer');
  await program.postrider.app.get(Database).execute({
    text: 'INSERT INTO operators (user_id, created_at) VALUES ($1, now())',
    values: [id],
  });
  return { browser, teamId };
}

/** Sends the examples of the machine room, with the session of an operator: they take no key. */
export async function sendMachineRoomExamples(program: TestProgram, send: ExampleRequests['send']): Promise<void> {
  const session = await operatorOf(program);
  for (const name of ['getMachineRoom', 'getDiagnosis', 'getQueue']) await send(name, undefined, { session });
  const [domain] = await program.postrider.app
    .get(Database)
    .query<{ id: string }>({ text: `SELECT id FROM domains WHERE name = 'acme.example'` });
  await furnishGuard(program, domain?.id ?? '');
  for (const [name, example] of [['listGuards'], ['liftGuard', 'google']] as const)
    await send(name, example, { session });
  for (const name of ['pauseLane', 'resumeLane']) await send(name, 'lane', { session });
  await sendPoolExamples(send, session);
}

async function sendPoolExamples(send: ExampleRequests['send'], session: Session): Promise<void> {
  const at = (id: unknown, useId?: unknown): Parameters<typeof send>[2] => ({
    session,
    values: { id: String(id), useId: String(useId) },
  });
  const address = await send('createSendingAddress', 'address', { session });
  const pool = await send('createSendingPool', 'pool', { session });
  const use = await send('useSendingPool', 'domain', at(pool.id));
  const forBroadcasts = await send('useSendingPool', 'broadcasts', at(pool.id));
  await send('stopUsingSendingPool', undefined, at(pool.id, forBroadcasts.id));
  await send('updateSendingAddress', 'drain', at(address.id));
  await send('updateSendingPool', 'rename', at(pool.id));
  for (const name of ['listSendingAddresses', 'listSendingPools']) await send(name, undefined, { session });
  await send('getSendingAddress', undefined, at(address.id));
  for (const name of ['getSendingPool', 'listSendingPoolUses']) await send(name, undefined, at(pool.id));
  await send('stopUsingSendingPool', undefined, at(pool.id, use.id));
  await send('removeSendingPool', undefined, at(pool.id));
  await send('removeSendingAddress', undefined, at(address.id));
}
