import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { AutomationSteps, isDone } from '../support/builders/automation-steps.js';
import { addMember, firstTeam, TestUser } from '../support/builders/users.js';
import { ToolFlow } from '../support/clients/tool-flow.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { StepReceiver } from '../support/servers/step-receiver.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let receiver: StepReceiver;
let teamId: string;
let owner: TestUser;
let flow: ToolFlow;
let steps: AutomationSteps;

beforeAll(async () => {
  receiver = await StepReceiver.listen();
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport());
  program = await startProgram({ ALLOW_PRIVATE_DESTINATIONS: 'true' }, adapters);
  await program.request('/domains');
  teamId = await firstTeam(program);
  owner = await addMember(program, teamId, 'owner');
  flow = new ToolFlow(program, teamId, owner);
  steps = new AutomationSteps(program.resend);
});
afterAll(async () => {
  await program.stop();
  await receiver.close();
});

const rows = <Row extends object>(text: string): Promise<readonly Row[]> =>
  program.postrider.app.get(Database).query<Row>({ text, values: [] });

const tool = async (scope: string): Promise<string> => (await flow.login({ scope })).access_token;

interface Step {
  readonly key: string;
  readonly type: string;
  readonly config: object;
}

/** The steps behind a trigger, one after the other. */
function graphOf(event: string | object, ...more: readonly Step[]): object {
  const config = typeof event === 'string' ? { event_name: event } : event;
  const all = [{ key: 'start', type: 'trigger', config }, ...more];
  return { steps: all, connections: more.map(({ key }, no) => ({ from: all[no]?.key, to: key })) };
}

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly name: string;
  readonly message: string;
}

async function make(token: string, graph: object, status = 'enabled'): Promise<Answer> {
  const body = JSON.stringify({ name: 'By a tool', status, ...graph });
  const response = await flow.asTool(token, '/automations', { method: 'POST', body });
  return { ...((await response.json()) as Answer), status: response.status };
}

const step = (type: string, config: object = {}): Step => ({ key: 'the step', type, config });
const url = 'https://hooks.test/';
const [uuid, write] = ['0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d', 'automations:write audience:write'];
const onContact = { type: 'rule', field: 'contact.plan', operator: 'eq', value: 'pro' };

it.each([
  ['an event of anybody', 'automations:write', graphOf('a'), 'start', 'audience:write'],
  ['received mail', write, graphOf('resend:email.received'), 'start', 'emails:read'],
  ['what happens to emails', write, graphOf('resend:email.opened'), 'start', 'emails:read'],
  ['contacts', write, graphOf('resend:contact.created'), 'start', 'audience:read'],
  ['a call about the contact', write, graphOf('a', step('webhook', { url })), 'the step', 'audience:read'],
  [
    'a call with a field of the contact',
    write,
    graphOf('a', step('webhook', { url, body: { who: { var: 'contact.email' } } })),
    'the step',
    'audience:read',
  ],
  [
    'an event with a field of the contact',
    write,
    graphOf('a', step('send_event', { event_name: 'b', payload: { who: { var: 'contact.email' } } })),
    'the step',
    'audience:read',
  ],
  ['a condition on the contact', write, graphOf('a', step('condition', onContact)), 'the step', 'audience:read'],
  ['an email', write, graphOf('a', step('send_email', { template: { id: uuid } })), 'the step', 'emails:send'],
  [
    'a wait for what happens to an email',
    write,
    graphOf('a', step('wait_for_event', { event_name: 'resend:email.opened' })),
    'the step',
    'emails:read',
  ],
  [
    'a change of the contact',
    'automations:write audience:read',
    graphOf('resend:contact.created', step('contact_update', { first_name: 'X' })),
    'the step',
    'audience:write',
  ],
  [
    'the removal of the contact',
    'automations:write audience:read',
    graphOf('resend:contact.created', step('contact_delete')),
    'the step',
    'audience:write',
  ],
])('a tool that may not makes no automation with %s', async (_, scope, graph, key, permission) => {
  for (const status of ['enabled', 'disabled']) {
    expect(await make(await tool(scope), graph, status)).toMatchObject({
      status: 403,
      name: 'invalid_permission',
      message: `The step \`${key}\` needs \`${permission}\`, which you do not have.`,
    });
  }
  const { status } = await make(await tool(`${scope} ${permission}`), graph, 'disabled');
  expect(status).toBe(201);
});

it('a tool neither enables, changes nor copies what others have made, beyond its permissions', async () => {
  const response = await program.request('/automations', {
    method: 'POST',
    body: JSON.stringify({ name: 'By a key', ...graphOf('a', step('webhook', { url })) }),
  });
  const { id } = (await response.json()) as Answer;
  const narrow = await tool(write);
  expect(await flow.tries(narrow, 'PATCH', `/automations/${id}`, { status: 'enabled' })).toBe(403);
  expect(await flow.tries(narrow, 'POST', `/automations/${id}/duplicate`)).toBe(403);
  expect(await flow.tries(narrow, 'PATCH', `/automations/${id}`, { name: 'Renamed', status: 'disabled' })).toBe(200);
  const wide = await tool(`${write} audience:read`);
  expect(await flow.tries(wide, 'PATCH', `/automations/${id}`, { status: 'enabled' })).toBe(200);
  expect(await flow.tries(narrow, 'POST', `/automations/${id}/stop`)).toBe(200);
});

it('events by address need `audience:write`, because they add contacts', async () => {
  const token = await tool('automations:write');
  const { data } = await program.resend.contacts.create({ email: 'known@sink.test' });
  const send = (path: string, body: object): Promise<number> => flow.tries(token, 'POST', path, body);
  expect(await send('/events/send', { event: 'x', email: 'stranger@sink.test' })).toBe(403);
  expect(await send('/events/batch', [{ event: 'x', email: 'stranger@sink.test' }])).toBe(403);
  expect(await send('/events/send', { event: 'x', contact_id: data?.id })).toBe(202);
});

it('a trial shows contents of templates, so that a tool needs `templates:read` for it', async () => {
  const trial = { ...graphOf('a'), contact: { email: 'made-up@sink.test' } };
  const scope = 'automations:read audience:read';
  expect(await flow.tries(await tool(scope), 'POST', '/automations/try', trial)).toBe(403);
  expect(await flow.tries(await tool(`${scope} templates:read`), 'POST', '/automations/try', trial)).toBe(200);
});

/** An automation that calls, made with this token. */
async function calling(token: string, event: string): Promise<string> {
  const at = receiver.at(`/${event}`, (response) => response.end('{}'));
  const made = await make(token, graphOf(event, { key: 'call', type: 'webhook', config: { url: at } }));
  expect(made.status).toBe(201);
  return made.id;
}

/** How the newest run has ended, with the error of its call. */
async function ended(id: string): Promise<[string, string | undefined]> {
  const run = await steps.runThat(id, isDone);
  return [run.status as string, (run.steps as { error: { message: string } | null }[])[1]?.error?.message];
}

const gone = (permission = 'audience:read'): string =>
  `The step needs \`${permission}\`, which the author of the automation does not have any more. Enable it again.`;

it('runs end when the tool that made the automation is revoked, and go on when somebody else enables it', async () => {
  const scope = `${write} audience:read`;
  const id = await calling(await tool(scope), 'revoked');
  await steps.sent('revoked', 'one@sink.test');
  expect(await ended(id)).toEqual(['completed', undefined]);
  const grants = (await (await program.request('/oauth/grants')).json()) as { data: { id: string }[] };
  const headers = { 'x-team': teamId };
  const grant = `/oauth/grants/${grants.data[0]?.id}`;
  expect((await owner.browser.request(grant, { method: 'DELETE', headers })).status).toBe(200);
  await steps.sent('revoked', 'one@sink.test');
  await until(async () => (await steps.runsOf(id)).length === 2);
  const run = await steps.runThat(id, isDone);
  expect([run.status, run.steps[0].error.message]).toEqual(['failed', gone('audience:write')]);
  await steps.sent('revoked', 'new@sink.test');
  await until(async () => (await rows('SELECT FROM custom_event_occurrences')).length === 0);
  expect(await rows(`SELECT FROM contacts WHERE email = 'new@sink.test'`)).toEqual([]);
  expect(receiver.callsOf('/revoked')).toHaveLength(1);
  await program.request(`/automations/${id}`, { method: 'PATCH', body: JSON.stringify({ status: 'enabled' }) });
  await steps.sent('revoked', 'one@sink.test');
  await until(async () => (await steps.runsOf(id)).length === 3);
  expect(await ended(id)).toEqual(['completed', undefined]);
});

it('runs end when the role of the user who made the automation is lowered, and when the user leaves', async () => {
  const user = await addMember(program, teamId, 'developer');
  const at = receiver.at('/role', (response) => response.end('{}'));
  const call = { key: 'call', type: 'webhook', config: { url: at } };
  const body = { name: 'By a user', status: 'enabled', ...graphOf('resend:contact.created', call) };
  const made = await user.browser.json<{ id: string }>('/automations', { body, headers: { 'x-team': teamId } });
  expect(made.status).toBe(201);
  const { id } = made.body;
  const add = (email: string) => program.resend.contacts.create({ email });
  await add('role1@sink.test');
  expect(await ended(id)).toEqual(['completed', undefined]);
  const path = `/team/members/${user.id}`;
  const lowered = await program.request(path, { method: 'PATCH', body: JSON.stringify({ role: 'viewer' }) });
  expect(lowered.status).toBe(200);
  // A viewer may read contacts.
  await add('role2@sink.test');
  await until(async () => (await steps.runsOf(id)).length === 2);
  expect(await ended(id)).toEqual(['completed', undefined]);
  expect((await program.request(path, { method: 'DELETE' })).status).toBe(200);
  await add('role3@sink.test');
  await until(async () => (await steps.runsOf(id)).length === 3);
  expect((await ended(id))[0]).toBe('failed');
});

it('runs end when the key that made the automation is deleted, and those of earlier versions go on', async () => {
  const key = await program.resend.apiKeys.create({ name: 'Leaked' });
  const made = await calling(key.data?.token ?? '', 'key');
  const before = await calling(key.data?.token ?? '', 'before');
  await rows(`UPDATE automations SET authority = NULL WHERE id = '${before}'`);
  await program.resend.apiKeys.remove(key.data?.id ?? '');
  await program.resend.contacts.create({ email: 'key@sink.test' });
  for (const event of ['key', 'before']) await steps.sent(event, 'key@sink.test');
  expect((await ended(made))[0]).toBe('failed');
  expect(await ended(before)).toEqual(['completed', undefined]);
});
