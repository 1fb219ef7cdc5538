import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { AcceptEmails, ReleaseScheduled } from '#emails';
import { MissingPermissionError, Principal, PrincipalGuard, Requires, TeamRole } from '#identity';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { ReadEmails } from '../../libs/emails/src/application/read-emails.query.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let transport: InMemoryDeliveryTransport;
let database: Database;
let teamId: string;

beforeAll(async () => {
  transport = new InMemoryDeliveryTransport();
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
  database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  teamId = team?.id ?? '';
});

afterAll(() => program.stop());

const user = (role: TeamRole) => Principal.ofUser({ id: newId(), teamId, role });
const email = { from: testSender, to: 'a@sink.test', subject: 'From a person', text: 'Hello' };
const provided = <T>(type: new (...parameters: never[]) => T): T => program.postrider.app.get(type, { strict: false });

async function actorOf(emailId: string): Promise<unknown> {
  const [row] = await database.query({
    text: 'SELECT api_key_id, actor_kind, actor_id FROM emails WHERE id = $1',
    values: [emailId],
  });
  return row;
}

it('an email that a user sends names the user, and the team can read it through the API', async () => {
  const developer = user('developer');
  const { id } = await provided(AcceptEmails).send(developer, email);
  await until(() => transport.delivered.some(({ emailId }) => emailId === id));
  expect(await actorOf(id)).toEqual({ api_key_id: null, actor_kind: 'user', actor_id: developerId(developer) });
  expect((await provided(ReadEmails).find(teamId, id))?.email.actor).toEqual(developer.actor);
  expect((await program.resend.emails.get(id)).data).toMatchObject({ id, subject: email.subject });
});

it('an email sent with an API key names only the key', async () => {
  const { data } = await program.resend.emails.send({ ...email, subject: 'From a key' });
  expect(await actorOf(data?.id ?? '')).toEqual({
    api_key_id: expect.any(String),
    actor_kind: null,
    actor_id: null,
  });
});

it('an email that a user has scheduled is sent when it is due', async () => {
  const scheduledAt = new Date(Date.now() - 1_000);
  const { id } = await provided(AcceptEmails).send(user('owner'), { ...email, scheduledAt });
  await provided(ReleaseScheduled).release();
  await until(() => transport.delivered.some(({ emailId }) => emailId === id));
});

it('a viewer may not send', async () => {
  await expect(provided(AcceptEmails).send(user('viewer'), email)).rejects.toThrow(MissingPermissionError);
});

it('every handler behind the guard says which permission it requires', () => {
  const reflector = new Reflector();
  const without: string[] = [];
  let guarded = 0;
  for (const module of program.postrider.app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const guards = (Reflect.getMetadata('__guards__', metatype) ?? []) as unknown[];
      if (!guards.includes(PrincipalGuard)) continue;
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(metatype.prototype as object))) {
        if (name === 'constructor' || typeof value !== 'function' || !Reflect.hasMetadata('path', value as object))
          continue;
        guarded++;
        if (reflector.get(Requires, value as () => void) === undefined) without.push(`${metatype.name}.${name}`);
      }
    }
  }
  expect(without).toEqual([]);
  expect(guarded).toBeGreaterThan(40);
});

function developerId({ actor }: Principal): string | undefined {
  return actor.kind === 'user' ? actor.id : undefined;
}
