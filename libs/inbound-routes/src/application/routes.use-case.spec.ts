import { beforeEach, expect, it } from '@jest/globals';
import { DomainNotVerifiedError, SendingDisabledError } from '#domains';
import { Principal } from '#identity';
import { ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryRoutes } from '../../../../test/support/fakes/in-memory-routes.js';
import { parsePattern } from '../domain/address-pattern.js';
import { parseAction, parseConditions, parseRouteName } from '../domain/new-route.js';
import { maxRoutes } from '../domain/route.js';
import { CannotForwardError, ForwardingDomains } from './forwarding-domains.js';
import { RouteResult, RouteResults } from './ports/route-results.port.js';
import { NewRoute, Routes } from './routes.use-case.js';

const teamId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
const stranger = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
const given = (fields: Partial<NewRoute> = {}): NewRoute => ({
  name: 'Support',
  recipient: parsePattern('support@acme.test'),
  conditions: [],
  action: { type: 'forward', to: ['ada@other.test'] },
  goesOn: false,
  enabled: true,
  ...fields,
});
const receivedId = newId();
const result = { receivedId, key: 'webhook' } as RouteResult;
const conditions = [{ header: 'subject', test: 'exists', value: '', not: false }] as const;
let manage: Routes;

beforeEach(() => {
  const sending = {
    require: async (_: string, name: string) => {
      if (name === 'receives.test') throw new SendingDisabledError(name);
      if (name !== 'acme.test') throw new DomainNotVerifiedError(name);
    },
  };
  const received = {
    find: async (team: string, id: string) =>
      team === teamId && id === receivedId ? ({ id } as ReceivedEmail) : undefined,
  } as unknown as ReceivedEmails;
  const results: RouteResults = {
    add: async () => true,
    forwardsSince: async () => 0,
    doneAmong: async () => new Set(),
    of: async () => [result],
  };
  const forwarding = new ForwardingDomains(sending as never);
  manage = new Routes(new InMemoryRoutes(), forwarding, received, results, new FakeClock());
});

it('a route is added last or at its position, with who added it', async () => {
  const first = await manage.add(owner, given());
  const second = await manage.add(owner, given({ position: 1 }));
  expect(first).toMatchObject({ position: 1, teamId, actor: owner.actor });
  expect((await manage.list(teamId, { limit: 10 })).items.map(({ id }) => id)).toEqual([second.id, first.id]);
});

it('a route is changed, moved and removed', async () => {
  const { id } = await manage.add(owner, given());
  await manage.add(owner, given());
  expect(await manage.change(owner, id, { position: 2, enabled: false })).toMatchObject({
    position: 2,
    enabled: false,
  });
  await manage.remove(owner, id);
  await expect(manage.find(teamId, id)).rejects.toThrow('Route not found');
  await expect(manage.remove(owner, id)).rejects.toThrow('Route not found');
});

it('a route of another team is not there, and a viewer changes nothing', async () => {
  const { id } = await manage.add(owner, given());
  await expect(manage.change(stranger, id, {})).rejects.toThrow('Route not found');
  await expect(manage.remove(stranger, id)).rejects.toThrow('Route not found');
  await expect(manage.add(viewer, given())).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(manage.change(viewer, id, {})).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(manage.remove(viewer, id)).rejects.toMatchObject({ kind: 'forbidden' });
});

it('a route cannot refuse by the header, neither new nor by a change', async () => {
  const action = { type: 'reject', text: 'No' } as const;
  await expect(manage.add(owner, given({ action, conditions }))).rejects.toThrow('cannot have `conditions`');
  const { id } = await manage.add(owner, given({ conditions }));
  await expect(manage.change(owner, id, { action })).rejects.toThrow('cannot have `conditions`');
});

it('a team has a limited number of routes', async () => {
  for (let n = 0; n < maxRoutes; n++) await manage.add(owner, given());
  await expect(manage.add(owner, given())).rejects.toThrow(`at most ${maxRoutes} routes`);
});

it('actions are read with their defaults', () => {
  expect(parseAction({ type: 'forward', to: 'Ada@Other.test' })).toEqual({ type: 'forward', to: ['Ada@other.test'] });
  expect(parseAction({ type: 'forward', to: ['a@b.test', 'A@b.test'] })).toEqual({ type: 'forward', to: ['A@b.test'] });
  expect(parseAction({ type: 'lmtp', host: 'Mail.Acme.test' })).toEqual({
    type: 'lmtp',
    host: 'mail.acme.test',
    port: 24,
  });
  expect(parseAction({ type: 'smtp', host: '2001:db8::1', port: 2525 })).toMatchObject({ host: '2001:db8::1' });
  expect(parseAction({ type: 'reject' })).toEqual({ type: 'reject', text: 'This address takes no mail' });
});

it.each([
  [{ type: 'answer' }],
  [{ type: 'forward' }],
  [{ type: 'forward', to: [] }],
  [{ type: 'forward', to: ['ada'] }],
  [{ type: 'forward', to: [7] }],
  [{ type: 'forward', to: Array.from({ length: 11 }, (_, n) => `a${n}@b.test`) }],
  [{ type: 'smtp' }],
  [{ type: 'smtp', host: 'a b' }],
  [{ type: 'smtp', host: 'acme.test', port: 0 }],
  [{ type: 'lmtp', host: 'acme.test', port: '24' }],
  [{ type: 'reject', text: 'two\r\nlines' }],
  [{ type: 'reject', text: 'Grüße' }],
  [{}],
])('the action %j is refused', (action) => {
  expect(() => parseAction(action)).toThrow(/must|may/);
});

it.each([
  [{}],
  [{ header: 'a:b', value: 'x' }],
  [{ header: 'a', test: 'matches', value: 'x' }],
  [{ header: 'a', value: '' }],
  [{ header: 'a', value: 'x'.repeat(501) }],
  [{ header: 'a', value: 'x', not: 'yes' }],
])('the condition %j is refused', (condition) => {
  expect(() => parseConditions([condition])).toThrow('condition');
});

it('names are one line of limited length', () => {
  expect(parseRouteName(' a\r\nb ')).toBe('a b');
  expect(() => parseRouteName('a'.repeat(101))).toThrow('`name`');
});

it('a domain that only receives forwards nothing, and one that is not verified yet may do so later', async () => {
  const recipient = parsePattern('*@receives.test');
  await expect(manage.add(owner, given({ recipient }))).rejects.toThrow(CannotForwardError);
  await manage.add(owner, given({ recipient: parsePattern('*@unknown.test') }));
  await manage.add(owner, given({ recipient: parsePattern('*@*.receives.test') }));
  const { id } = await manage.add(owner, given({ recipient, action: { type: 'drop' } }));
  const forward = { type: 'forward', to: ['ada@other.test'] } as const;
  await expect(manage.change(owner, id, { action: forward })).rejects.toThrow(CannotForwardError);
  await manage.change(owner, id, { action: forward, recipient: parsePattern('*@acme.test') });
  await expect(manage.change(owner, id, { recipient })).rejects.toThrow(CannotForwardError);
});

it('tells what routes did for an email of the team, and of no other', async () => {
  expect(await manage.resultsOf(teamId, receivedId)).toEqual([result]);
  await expect(manage.resultsOf(newId(), receivedId)).rejects.toThrow('Email not found');
});
