import type { TeamRole } from '#identity';
import { SignIn } from '../../../libs/accounts/src/application/ports/sign-in.port.js';
import { Database } from '#postgres/database';
import { Browser } from '../clients/browser.js';
import type { TestProgram } from '../programs/program.js';

export const testPassword = 'correct horse battery staple';

let made = 0;

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}

/** A user with a password, signed in. `url` is given if the program's public address is not that of the tests. */
export async function addUser(
  { postrider, url: ownUrl }: TestProgram,
  name = `user${++made}`,
  url = ownUrl,
): Promise<TestUser> {
  const email = `${name}@people.test`;
  const id = await postrider.app.get(SignIn, { strict: false }).createUser({ email, name, password: testPassword });
  const browser = new Browser(url);
  const { status } = await browser.signIn(email, testPassword);
  if (status !== 200) throw new Error(`Signing in was refused with ${status}`);
  return { id, email, browser };
}

export async function addMember(program: TestProgram, teamId: string, role: TeamRole, url?: string): Promise<TestUser> {
  const user = await addUser(program, undefined, url);
  await program.postrider.app.get(Database).execute({
    text: 'INSERT INTO team_members (team_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
    values: [teamId, user.id, role],
  });
  return user;
}

export async function firstTeam({ postrider }: TestProgram): Promise<string> {
  const [team] = await postrider.app.get(Database).query<{ id: string }>({ text: 'SELECT id FROM teams ORDER BY id' });
  return team?.id ?? '';
}
