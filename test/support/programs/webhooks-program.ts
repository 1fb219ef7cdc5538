import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { startProgram, TestProgram, testSender } from './program.js';
import { TestClock } from '../fakes/test-clock.js';
import { TestDatabase } from '../servers/test-database.js';

/** A program that may call loopback and delivers into memory. */
export interface WebhooksProgram extends TestProgram {
  readonly transport: InMemoryDeliveryTransport;
  /** Sends an email and resolves to its id. */
  send(to: string | string[], fields?: object): Promise<string>;
  /** Sends an email with exactly this body and resolves to its id. */
  sendBody(body: object): Promise<string>;
  /** Adds an endpoint for these events. */
  addWebhook(endpoint: string, events: string[]): Promise<{ id: string; secret: string }>;
  changeWebhook(id: string, changes: object): Promise<void>;
}

export async function startWebhooksProgram(
  environment: Readonly<Record<string, string>> = {},
  clock?: TestClock,
  shared?: TestDatabase,
): Promise<WebhooksProgram> {
  const transport = new InMemoryDeliveryTransport();
  const adapters = new Adapters().use(DeliveryTransport, transport);
  if (clock !== undefined) adapters.use(Clock, clock);
  const program = await startProgram({ ALLOW_PRIVATE_DESTINATIONS: 'true', ...environment }, adapters, shared);
  const json = async (path: string, method: string, body: object): Promise<Record<string, string>> => {
    const response = await program.request(path, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Record<string, string>;
  };
  return {
    ...program,
    transport,
    send: async (to, fields = {}) =>
      (await json('/emails', 'POST', { from: testSender, to, subject: 'Hello', text: 'Hi', ...fields })).id as string,
    sendBody: async (body) => (await json('/emails', 'POST', body)).id as string,
    addWebhook: async (endpoint, events) => {
      const { id, signing_secret } = await json('/webhooks', 'POST', { endpoint, events });
      return { id: id as string, secret: signing_secret as string };
    },
    changeWebhook: async (id, changes) => void (await json(`/webhooks/${id}`, 'PATCH', changes)),
  };
}
