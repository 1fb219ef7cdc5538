import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { until } from '../support/runner/until.js';

let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
  // So that the author of the mail is proven.
  inbound.dns.set('customer.test', { txt: ['v=spf1 ip4:127.0.0.1 -all'] });
});
afterAll(() => inbound.stop());

const rows = (text: string): Promise<readonly object[]> =>
  inbound.program.postrider.app.get(Database, { strict: false }).query({ text, values: [] });

it('an email is announced once, under one id, where a process ends between the event and its record', async () => {
  const action = { type: 'webhook' };
  const conditions = [{ header: 'subject', test: 'exists' }];
  const body = JSON.stringify({ recipient: 'once@acme.test', action, conditions });
  const headers = { 'content-type': 'application/json' };
  expect((await inbound.program.request('/routes', { method: 'POST', headers, body })).status).toBe(201);
  await rows(`CREATE FUNCTION end_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'ended here'; END $$`);
  await rows('CREATE TRIGGER end_here BEFORE INSERT ON inbound_route_results FOR EACH ROW EXECUTE FUNCTION end_here()');
  const id = await inbound.received('From: a@customer.test\nSubject: Once\n\nHello\n', { to: 'once@acme.test' });
  const failed = `SELECT FROM received_work WHERE email_id = '${id}' AND last_error IS NOT NULL`;
  await until(async () => (await rows(failed)).length === 1);
  await rows('DROP TRIGGER end_here ON inbound_route_results');
  await rows(`UPDATE received_work SET due_at = now() WHERE email_id = '${id}'`);
  await until(async () => (await rows(`SELECT FROM received_work WHERE email_id = '${id}'`)).length === 0);
  const events = await rows(`SELECT FROM team_events WHERE type = 'email.received' AND data->>'email_id' = '${id}'`);
  expect(events).toHaveLength(1);
}, 60_000);

it('an automation begins with mail that was received, of all routes or of one, and not with bounces', async () => {
  const headers = { 'content-type': 'application/json' };
  const create = async (path: string, body: object): Promise<string> => {
    const response = await inbound.program.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  };
  const route = (name: string): Promise<string> =>
    create('/routes', { recipient: `${name}@acme.test`, action: { type: 'webhook' } });
  const [support] = [await route('support'), await route('sales')];
  const beginning = (more: object): Promise<string> => {
    const config = { event_name: 'resend:email.received', ...more };
    const steps = [{ key: 'start', type: 'trigger', config }];
    return create('/automations', { name: 'Answer', status: 'enabled', steps, connections: [] });
  };
  const [any, one] = [await beginning({}), await beginning({ route_id: support })];
  const mail = (to: string, subject: string, more: object = {}): Promise<string> =>
    inbound.received(`From: Ada <Ada@Customer.test>\nSubject: ${subject}\n\nHello\n`, {
      to: `${to}@acme.test`,
      ...more,
    });
  const id = await mail('support', 'Help');
  await mail('sales', 'Offer');
  await mail('support', 'Bounce', { from: '' });
  const begun = (automation: string): Promise<readonly object[]> =>
    rows(`SELECT contact_email AS email, payload ->> 'subject' AS subject FROM automation_runs
          WHERE automation_id = '${automation}' ORDER BY payload ->> 'subject'`);
  await until(async () => (await begun(any)).length === 2 && (await begun(one)).length === 1);
  await inbound.program.request(`/emails/receiving/${id}/replay`, { method: 'POST' });
  await until(
    async () => (await rows('SELECT FROM custom_event_occurrences UNION ALL SELECT FROM received_work')).length === 0,
  );
  expect(await begun(any)).toEqual([
    { email: 'ada@customer.test', subject: 'Help' },
    { email: 'ada@customer.test', subject: 'Offer' },
  ]);
  expect(await begun(one)).toEqual([{ email: 'ada@customer.test', subject: 'Help' }]);
}, 60_000);

it('addresses that all forward to each other get a message once each', async () => {
  const addresses = ['n', 'e', 's', 'w', 'x', 'y'].map((name) => `storm-${name}@acme.test`);
  const headers = { 'content-type': 'application/json' };
  for (const recipient of addresses) {
    const action = { type: 'forward', to: addresses.filter((address) => address !== recipient) };
    const body = JSON.stringify({ recipient, action });
    expect((await inbound.program.request('/routes', { method: 'POST', headers, body })).status).toBe(201);
  }
  await inbound.received('From: a@storm.test\nSubject: Storm\n\nHello\n', { to: addresses[0] as string });
  const copies = () => rows(`SELECT FROM received_emails WHERE subject = 'Storm'`);
  const waiting = `SELECT FROM received_work UNION ALL SELECT FROM outbound_queue`;
  await until(async () => (await copies()).length >= addresses.length && (await rows(waiting)).length === 0, 100_000);
  expect(await copies()).toHaveLength(addresses.length);
}, 120_000);
