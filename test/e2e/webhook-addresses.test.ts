import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { OutboundHttp, OutboundHttpOptions } from '#http/outbound';
import { startProgram, testApiKey, TestProgram, testSender } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

let program: TestProgram;
let receiver: WebhookReceiver;

/** A resolver that returns the address of this machine for every name, like the DNS of an attacker. */
const rebinding = ((_: string, __: object, callback: (error: null, addresses: object[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as NonNullable<OutboundHttpOptions['lookup']>;

beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  program = await startProgram(
    { WIRES: 'mailgun,postmark' },
    new Adapters()
      .use(DeliveryTransport, new InMemoryDeliveryTransport())
      .use(OutboundHttp, new OutboundHttp({ lookup: rebinding })),
  );
});

afterAll(async () => {
  await receiver.close();
  await program.stop();
});

it.each([
  'http://hooks.test/',
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://[::ffff:192.168.0.1]/',
])('%s cannot be an endpoint', async (endpoint) => {
  const { error } = await program.resend.webhooks.create({ endpoint, events: ['email.sent'] });
  expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
});

it.each([
  [
    'mailgun/v3/domains/sandbox.postrider.test/webhooks',
    (Url: string) => new URLSearchParams({ id: 'opened', url: Url }),
  ],
  ['postmark/webhooks', (Url: string) => JSON.stringify({ Url, Triggers: { Open: { Enabled: true } } })],
])('nor over the API of another provider: %s', async (path, body) => {
  const headers = {
    authorization: `Basic ${btoa(`api:${testApiKey}`)}`,
    'x-postmark-server-token': testApiKey,
    ...(path.startsWith('postmark') && { 'content-type': 'application/json' }),
  };
  for (const url of ['https://10.1.2.3/', 'http://hooks.test/', 'https://[::1]/']) {
    const response = await fetch(`${program.url}/${path}`, { method: 'POST', headers, body: body(url) });
    expect([response.status, await response.text()]).toEqual([
      path.startsWith('postmark') ? 422 : 400,
      expect.stringMatching(/`[uU]rl` field must/),
    ]);
  }
  expect((await program.resend.webhooks.list()).data?.data).toEqual([]);
});

it('a name with a private address is refused at the connection, and the log of attempts says so', async () => {
  const endpoint = `https://hooks.test:${receiver.port}/`;
  const { data } = await program.resend.webhooks.create({ endpoint, events: ['email.sent'] });
  const webhookId = data?.id ?? '';
  await program.resend.emails.send({ from: testSender, to: 'ann@inbox.test', subject: 'Hello', text: 'Hi' });
  const message = await until(async () => {
    const shown = (await program.resend.webhooks.events.list({ webhookId })).data?.data[0];
    return shown?.status === 'attempting' ? shown : undefined;
  });
  const attempts = await program.resend.webhooks.events.attempts.list({ webhookId, eventId: message.id });
  expect(attempts.data?.data[0]).toMatchObject({
    http_status_code: 0,
    response: 'The URL leads to an address that is not public',
  });
  const { data: shown } = await program.resend.webhooks.events.get({ webhookId, eventId: message.id });
  expect(shown?.next_attempt_at).toMatch(/^\d{4}-/);
  expect(receiver.connections).toBe(0);
});
