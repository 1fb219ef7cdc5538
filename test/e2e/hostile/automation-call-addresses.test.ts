import { lookup as resolve } from 'node:dns';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { OutboundHttp } from '#http/outbound';
import { Adapters } from '#platform/adapters';
import { AutomationSteps, isDone } from '../../support/builders/automation-steps.js';
import { startProgram, TestProgram } from '../../support/programs/program.js';
import { StepReceiver } from '../../support/servers/step-receiver.js';

/** Stands for a private address: the service must never come here. */
const privateAddress = '127.0.0.2';
let program: TestProgram;
let receiver: StepReceiver;
let inside: StepReceiver;
let automations: AutomationSteps;
/** What the attacker's DNS answers, look-up by look-up; the last one again and again. */
let answers: string[][] = [];
let lookUps = 0;

const rebinding = ((_: string, __: object, callback: (error: null, addresses: object[]) => void) => {
  const addresses = answers[Math.min(lookUps++, answers.length - 1)] ?? [];
  callback(
    null,
    addresses.map((address) => ({ address, family: 4 })),
  );
}) as unknown as typeof resolve;

beforeAll(async () => {
  receiver = await StepReceiver.listen();
  // The same port, so that a connection to the private address would be answered.
  inside = await StepReceiver.listen(privateAddress, receiver.port);
  const http = new OutboundHttp({ lookup: rebinding, allows: (address) => address === '127.0.0.1' });
  const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()).use(OutboundHttp, http);
  program = await startProgram({ ALLOW_PRIVATE_DESTINATIONS: 'true' }, adapters);
  automations = new AutomationSteps(program.resend);
});
afterAll(async () => {
  await program.stop();
  await Promise.all([receiver.close(), inside.close()]);
});
beforeEach(() => {
  lookUps = 0;
});

let made = 0;

/** The run of an automation that calls a name of its own, so that no connection is kept, once its first call has ended. */
async function called(path: string): Promise<{ readonly status: string; readonly reason: string }> {
  const name = `call${++made}`;
  const url = `http://${name}.test:${receiver.port}${path}`;
  const body = JSON.stringify({
    name: 'Call',
    status: 'enabled',
    steps: [
      { key: 'start', type: 'trigger', config: { event_name: name } },
      { key: 'call', type: 'webhook', config: { url } },
    ],
    connections: [{ from: 'start', to: 'call' }],
  });
  const response = await program.request('/automations', { method: 'POST', body });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await automations.sent(name, `${name}@sink.test`);
  const run = await automations.runThat(id, (each) => isDone(each) || each.postponed_because !== null);
  const [, call] = run.steps as { error: { message: string } | null }[];
  return { status: run.status as string, reason: String(call?.error?.message ?? run.postponed_because) };
}

it('a name that leads to a private address at the second look-up is called at the checked address alone', async () => {
  receiver.at('/pinned', (response) => response.end('{}'));
  answers = [['127.0.0.1'], [privateAddress]];
  expect((await called('/pinned')).status).toBe('completed');
  expect(receiver.callsOf('/pinned')).toHaveLength(1);
  // Each connection is looked up once, and goes to an address of this answer.
  expect(lookUps).toBe(1);
  expect(inside.connections).toBe(0);
});

it.each([
  ['a private address', [[privateAddress]]],
  ['a public address and a private one', [['127.0.0.1', privateAddress]]],
])('a name with %s is not called, and the run fails with the reason', async (_, given) => {
  answers = given;
  const { status, reason } = await called('/never');
  expect([status, reason]).toEqual(['failed', 'The URL leads to an address that is not public.']);
  expect([receiver.callsOf('/never').length, inside.connections]).toEqual([0, 0]);
});

it('a redirect to a private address is not followed', async () => {
  const location = `http://${privateAddress}:${receiver.port}/secrets`;
  receiver.at('/redirect', (response) => response.writeHead(307, { location }).end());
  answers = [['127.0.0.1']];
  const { status, reason } = await called('/redirect');
  expect([status, reason]).toEqual(['running', 'The call was answered with HTTP status 307. This was attempt 1 of 8.']);
  expect(inside.connections).toBe(0);
});
