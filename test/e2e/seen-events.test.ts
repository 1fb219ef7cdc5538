import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { AutomationSteps, chain } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let automations: AutomationSteps;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  automations = new AutomationSteps(program.resend);
});

afterAll(() => program.stop());

const get = async (path: string, headers: Record<string, string> = {}): Promise<ParsedJson> =>
  (await (await program.request(path, { headers })).json()) as ParsedJson;
const payloadsOf = ({ last_payloads: payloads }: ParsedJson): readonly unknown[] =>
  (payloads as readonly ParsedJson[]).map(({ payload }) => payload as unknown);

it('an event shows who listens to it, and its last payloads', async () => {
  await program.resend.events.create({ name: 'order.paid', schema: { total: 'number' } });
  const begins = await automations.enabled(chain('order.paid'));
  const { data: waits } = await program.resend.automations.create({
    name: 'Waits',
    ...chain('other', { key: 'wait', type: 'wait_for_event', config: { eventName: 'order.paid' } }),
  });
  for (let total = 1; total <= 12; total++) await automations.sent('order.paid', 'buyer@sink.test', { total });
  const event = await until(async () => {
    const shown = await get('/events/order.paid');
    return (payloadsOf(shown)[0] as { total?: number } | undefined)?.total === 12 && shown;
  });
  expect(payloadsOf(event)).toEqual(Array.from({ length: 10 }, (_, no) => ({ total: 12 - no })));
  const listeners = [
    { automation_id: waits?.id, name: 'Waits', status: 'disabled', step_key: 'wait', step_type: 'wait_for_event' },
    { automation_id: begins, name: 'Test', status: 'enabled', step_key: 'start', step_type: 'trigger' },
  ];
  expect(event.listeners).toEqual(listeners);
  expect((await get('/events')).data).toMatchObject([{ name: 'order.paid', listeners }]);
  await program.resend.automations.remove(waits?.id ?? '');
  await program.resend.automations.update(begins, { ...chain('something.else') });
  expect((await get('/events/order.paid')).listeners).toEqual([]);
});

it('names that are not defined are found by what was sent, and not by another team', async () => {
  await automations.sent('shop/lost cart', 'buyer@sink.test', { items: 3 });
  await automations.sent('shop/lost cart', 'buyer@sink.test', { items: 4 });
  const seen = await until(async () => {
    const { data } = await get('/events/seen');
    return data[0]?.count === 2 && data;
  });
  expect(seen).toEqual([
    { id: expect.any(String), name: 'shop/lost cart', count: 2, last_seen_at: expect.any(String) },
  ]);
  const path = `/events/seen/${encodeURIComponent('shop/lost cart')}`;
  const shown = await get(path);
  expect([shown.object, payloadsOf(shown)]).toEqual(['seen_event', [{ items: 4 }, { items: 3 }]]);
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await get('/events/seen', headers)).data).toEqual([]);
  expect((await program.request(path, { headers })).status).toBe(404);
  const { error } = await program.resend.events.create({ name: 'seen' });
  expect(error?.message).toContain('must not be `seen`');
});

it('the payloads of a person are exported and erased', async () => {
  await automations.sent('visited', 'person@sink.test', { page: '/private' });
  const { data: contact } = await program.resend.contacts.create({ email: 'other@sink.test' });
  await program.resend.events.send({ event: 'visited', contactId: contact?.id ?? '', payload: { page: '/public' } });
  await until(async () => (await get('/events/seen/visited')).last_payloads?.length === 2);
  const body = JSON.stringify({ email: 'person@sink.test' });
  const exported = await program.request('/privacy/exports', { method: 'POST', body });
  expect(((await exported.json()) as ParsedJson).automations).toContainEqual({
    event_name: 'visited',
    event: { page: '/private' },
    created_at: expect.any(String),
  });
  await program.request('/privacy/erasures', { method: 'POST', body });
  await until(async () => (await get('/events/seen/visited')).last_payloads.length === 1);
  expect(payloadsOf(await get('/events/seen/visited'))).toEqual([{ page: '/public' }]);
});
