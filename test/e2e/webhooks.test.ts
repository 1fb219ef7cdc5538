import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';
import { signatureOf, WebhookReceiver } from '../support/servers/webhook-receiver.js';
import { startWebhooksProgram, WebhooksProgram } from '../support/programs/webhooks-program.js';

let program: WebhooksProgram;
let resend: Resend;
let receiver: WebhookReceiver;

beforeAll(async () => {
  program = await startWebhooksProgram();
  resend = program.resend;
});
afterAll(() => program.stop());
beforeEach(async () => {
  receiver = await WebhookReceiver.listen();
});
afterEach(async () => {
  for (const { id } of (await resend.webhooks.list({ limit: 100 })).data?.data ?? []) await resend.webhooks.remove(id);
  await receiver.close();
});

const refusal = async (body: object): Promise<{ statusCode: number; name: string; message: string }> => {
  const response = await program.request('/webhooks', { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as { statusCode: number; name: string; message: string };
};

describe('the webhook methods of the resend client', () => {
  it('create, get, list, update, remove', async () => {
    const created = await resend.webhooks.create({ endpoint: receiver.url, events: ['email.sent', 'email.sent'] });
    const { id, signing_secret } = created.data ?? { id: '', signing_secret: '' };
    expect(created.data).toEqual({ object: 'webhook', id, signing_secret: expect.stringMatching(/^whsec_.{44}$/) });

    const shown = {
      id,
      endpoint: receiver.url,
      events: ['email.sent'],
      status: 'enabled',
      created_at: expect.any(String),
      disabled_reason: null,
      format: 'postrider',
      domain_id: null,
      health: {
        state: 'up',
        failing_since: null,
        reason: null,
        last_http_status_code: null,
        last_called_at: null,
        next_attempt_at: null,
        calls: 0,
        success_rate: null,
      },
    };
    expect((await resend.webhooks.get(id)).data).toEqual({ object: 'webhook', ...shown, signing_secret });
    expect((await resend.webhooks.list()).data).toEqual({ object: 'list', has_more: false, data: [shown] });

    const changes = { endpoint: `${receiver.url}/v2`, events: ['email.bounced' as const], status: 'disabled' as const };
    expect((await resend.webhooks.update(id, changes)).data).toEqual({ object: 'webhook', id });
    expect((await resend.webhooks.get(id)).data).toMatchObject(changes);
    expect((await resend.webhooks.update(id, {})).data).toEqual({ object: 'webhook', id });
    expect((await resend.webhooks.get(id)).data).toMatchObject({ ...changes, signing_secret });

    expect((await resend.webhooks.remove(id)).data).toEqual({ object: 'webhook', id, deleted: true });
    expect((await resend.webhooks.get(id)).error).toEqual({
      statusCode: 404,
      name: 'not_found',
      message: 'Webhook not found',
    });
  });

  it('pages through endpoints, newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await program.addWebhook(receiver.url, ['email.sent'])).id);
    const first = (await resend.webhooks.list({ limit: 2 })).data;
    expect(first?.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first?.has_more).toBe(true);
    const second = (await resend.webhooks.list({ limit: 2, after: ids[1] as string })).data;
    expect(second?.data.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('events.list, events.get, attempts.list and events.replay show a message from first try to last', async () => {
    const { id: webhookId } = await program.addWebhook(receiver.url, ['email.sent']);
    receiver.answer = 'x'.repeat(5_000);
    const emailId = await program.send('ann@inbox.test');
    await until(() => receiver.accepted.length === 1);
    const message = await until(async () => {
      const { data } = await resend.webhooks.events.list({ webhookId });
      return data?.data[0]?.status === 'success' && data.data[0];
    });
    expect(message).toEqual({
      id: receiver.calls[0]?.id,
      type: 'email.sent',
      created_at: expect.any(String),
      status: 'success',
    });
    const eventId = message.id;
    expect((await resend.webhooks.events.get({ webhookId, eventId })).data).toEqual({
      object: 'webhook_event',
      ...message,
      next_attempt_at: null,
      payload: receiver.calls[0]?.payload,
    });
    expect(receiver.calls[0]?.payload.data.email_id).toBe(emailId);

    const attempts = (await resend.webhooks.events.attempts.list({ webhookId, eventId })).data;
    expect(attempts?.data).toEqual([
      {
        id: expect.stringMatching(/^atmpt_[0-9a-f]{32}$/),
        http_status_code: 200,
        response: 'x'.repeat(1_024),
        sent_at: expect.any(String),
      },
    ]);

    expect((await resend.webhooks.events.replay({ webhookId, eventId })).data).toEqual({
      object: 'webhook_event',
      id: eventId,
    });
    await until(() => receiver.accepted.length === 2);
    const [first, second] = receiver.calls;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    await until(async () => {
      const { data } = await resend.webhooks.events.attempts.list({ webhookId, eventId, limit: 1 });
      return (
        data?.has_more === true &&
        (await resend.webhooks.events.list({ webhookId })).data?.data[0]?.status === 'success'
      );
    });
  });

  it('an endpoint that is down says since when and why, and is tested beside the messages that wait', async () => {
    interface Shown {
      readonly health: Record<string, unknown>;
    }
    const shown = async (path: string): Promise<Shown> => (await (await program.request(path)).json()) as Shown;
    receiver.react = () => 500;
    const { id } = await program.addWebhook(receiver.url, ['email.sent']);
    for (let n = 0; n < 9; n++) await program.send(`ann${n}@inbox.test`);
    const { health } = await until(async () => {
      const webhook = await shown(`/webhooks/${id}`);
      return webhook.health.state === 'down' && webhook;
    });
    expect(health).toMatchObject({
      failing_since: expect.any(String),
      reason: 'The endpoint responded with status 500',
      last_http_status_code: 500,
      last_called_at: expect.any(String),
      next_attempt_at: expect.any(String),
      success_rate: 0,
    });
    const { data } = (await (await program.request('/webhooks')).json()) as { data: Shown[] };
    expect(data[0]?.health).toMatchObject({ state: 'down', success_rate: 0 });

    receiver.react = ({ payload }) => (payload.type === 'webhook.test' ? 200 : 500);
    const tested = await program.request(`/webhooks/${id}/events/test`, { method: 'POST' });
    expect(await tested.json()).toEqual({
      object: 'webhook_event',
      id: expect.stringMatching(/^msg_/),
      http_status_code: 200,
      duration_ms: expect.any(Number),
      response: receiver.answer,
    });
    const after = await shown(`/webhooks/${id}`);
    expect(after.health.success_rate).toBeGreaterThan(0);
    await receiver.close();
    const refused = (await (await program.request(`/webhooks/${id}/events/test`, { method: 'POST' })).json()) as Shown;
    expect(refused).toMatchObject({ http_status_code: 0, response: expect.stringMatching(/\w/) });
    receiver = await WebhookReceiver.listen();
  });

  it('rotateSigningSecret signs with both secrets until the overlap ends', async () => {
    const { id, secret } = await program.addWebhook(receiver.url, ['email.sent']);
    const rotated = (await resend.webhooks.rotateSigningSecret(id)).data;
    expect(rotated).toEqual({ object: 'webhook', id, signing_secret: expect.stringMatching(/^whsec_/) });
    const { signing_secret } = rotated ?? { signing_secret: '' };
    expect(signing_secret).not.toBe(secret);
    expect((await resend.webhooks.get(id)).data?.signing_secret).toBe(signing_secret);

    await program.send('ann@inbox.test');
    const call = await until(() => receiver.accepted[0]);
    expect(call.signature.split(' ')).toEqual([signatureOf(call, signing_secret), signatureOf(call, secret)]);
    for (const webhookSecret of [secret, signing_secret]) {
      const { id: messageId, timestamp, signature } = call;
      const headers = { id: messageId, timestamp, signature };
      expect(resend.webhooks.verify({ payload: call.body, headers, webhookSecret })).toEqual(call.payload);
    }
  });

  it("verify accepts the service's signature, and no changed body, old time or other secret", async () => {
    const { secret } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    const { id, timestamp, signature, body, headers, payload } = await until(() => receiver.accepted[0]);
    const signed = { payload: body, headers: { id, timestamp, signature }, webhookSecret: secret };

    expect(headers['content-type']).toBe('application/json');
    expect(headers['webhook-signature']).toBe(signature);
    expect(resend.webhooks.verify(signed)).toEqual(payload);
    expect(() => resend.webhooks.verify({ ...signed, payload: body.replace('Hello', 'Hullo') })).toThrow();
    const old = String(Number(timestamp) - 301);
    expect(() => resend.webhooks.verify({ ...signed, headers: { id, timestamp: old, signature } })).toThrow();
    const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(() => resend.webhooks.verify({ ...signed, webhookSecret: otherSecret })).toThrow();
  });
});

describe('an endpoint', () => {
  it.each([
    ['without a path', (port: number) => `http://127.0.0.1:${port}`, '/'],
    ['with capitals, dots and a fragment', (port: number) => `HTTP://127.0.0.1:${port}/a/../b?x=ä#part`, '/b?x=%C3%A4'],
  ])('%s is shown as it was given, and called', async (_, endpointAt, path) => {
    const endpoint = endpointAt(receiver.port);
    const { data } = await resend.webhooks.create({ endpoint, events: ['email.sent'] });
    const id = data?.id as string;

    expect((await resend.webhooks.get(id)).data?.endpoint).toBe(endpoint);
    expect((await resend.webhooks.list()).data?.data.map((webhook) => webhook.endpoint)).toEqual([endpoint]);
    await resend.emails.send({ from: testSender, to: 'shown@sink.test', subject: 'Hello', text: 'Hello' });
    await until(() => receiver.calls.some((call) => call.path === path));
    await resend.webhooks.update(id, { endpoint: `${endpoint}?` });
    expect((await resend.webhooks.get(id)).data?.endpoint).toBe(`${endpoint}?`);
  });

  it.each([
    [{ events: ['email.sent'] }, 'missing_required_field'],
    [{ endpoint: 'https://hooks.test/' }, 'missing_required_field'],
    [{ endpoint: 'https://hooks.test/', events: [] }, 'validation_error'],
    [{ endpoint: 'https://hooks.test/', events: ['email.eaten'] }, 'validation_error'],
    [{ endpoint: 'https://hooks.test/', events: 'email.sent' }, 'validation_error'],
    [{ endpoint: 'https://hooks.test/', events: [7] }, 'validation_error'],
    [{ endpoint: 'ftp://hooks.test/', events: ['email.sent'] }, 'validation_error'],
    [{ endpoint: 'hooks.test', events: ['email.sent'] }, 'validation_error'],
    [{ endpoint: 'https://hooks.test/\u0000', events: ['email.sent'] }, 'validation_error'],
    [{ endpoint: 'https://hooks.test/\n', events: ['email.sent'] }, 'validation_error'],
    [{ endpoint: 'https://me:pass@hooks.test/', events: ['email.sent'] }, 'validation_error'],
    [{ endpoint: `https://hooks.test/${'x'.repeat(2_048)}`, events: ['email.sent'] }, 'validation_error'],
  ])('%j is refused', async (body, name) => {
    expect(await refusal(body)).toMatchObject({ statusCode: 422, name });
    expect((await resend.webhooks.list()).data?.data).toEqual([]);
  });

  it('of another team is unknown', async () => {
    const { id: webhookId } = await program.addWebhook(receiver.url, ['email.sent']);
    await program.send('ann@inbox.test');
    const eventId = (await until(() => receiver.accepted[0])).id;
    const other = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
    const results = await Promise.all([
      other.webhooks.get(webhookId),
      other.webhooks.update(webhookId, { status: 'disabled' }),
      other.webhooks.remove(webhookId),
      other.webhooks.rotateSigningSecret(webhookId),
      other.webhooks.events.list({ webhookId }),
      other.webhooks.events.get({ webhookId, eventId }),
      other.webhooks.events.attempts.list({ webhookId, eventId }),
      other.webhooks.events.replay({ webhookId, eventId }),
    ]);
    for (const { error } of results) expect(error).toMatchObject({ statusCode: 404, name: 'not_found' });
    expect((await other.webhooks.list()).data?.data).toEqual([]);
    expect((await resend.webhooks.get(webhookId)).data?.status).toBe('enabled');
  });

  it('is not managed with a sending key', async () => {
    const { data } = await resend.apiKeys.create({ name: 'Sender', permission: 'sending_access' });
    const sender = new Resend(data?.token ?? '', { baseUrl: program.url });
    expect((await sender.webhooks.list()).error).toMatchObject({ statusCode: 401, name: 'restricted_api_key' });
  });

  it('is refused once the team has fifty', async () => {
    for (let n = 0; n < 50; n++) await program.addWebhook(receiver.url, ['email.failed']);
    expect(await refusal({ endpoint: receiver.url, events: ['email.sent'] })).toMatchObject({ statusCode: 422 });
  });

  it('gets only the events that it has subscribed to, of its own team', async () => {
    await program.addWebhook(receiver.url, ['email.delivered']);
    const emailId = await program.send('ann@inbox.test');
    const call = await until(() => receiver.accepted[0]);
    expect(call.payload).toMatchObject({ type: 'email.delivered', sequence: 2, data: { email_id: emailId } });
    expect(receiver.calls).toHaveLength(1);
  });

  it('has no events under malformed or unknown ids', async () => {
    const { id: webhookId } = await program.addWebhook(receiver.url, ['email.sent']);
    for (const eventId of ['msg_1', 'nonsense', `msg_${'0'.repeat(32)}`]) {
      expect((await resend.webhooks.events.get({ webhookId, eventId })).error).toMatchObject({ statusCode: 404 });
      expect((await resend.webhooks.events.replay({ webhookId, eventId })).error).toMatchObject({ statusCode: 404 });
    }
    expect((await resend.webhooks.get('nonsense')).error).toMatchObject({ statusCode: 422, name: 'invalid_parameter' });
    expect((await resend.webhooks.events.list({ webhookId, after: 'x' })).error).toMatchObject({ statusCode: 422 });
  });
});
