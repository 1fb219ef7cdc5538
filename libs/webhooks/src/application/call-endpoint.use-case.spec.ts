import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { DueMessage } from '../domain/webhook-message.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { WebhookCall, WebhookFormat } from './ports/webhook-calls.port.js';

const made: WebhookCall[] = [];
const client = {
  call: async (call: WebhookCall) => (made.push(call), { status: 200, response: '', durationMs: 1 }),
};
/** Tells the type and the subject of what happened to emails, and nothing of a team. */
const brief: WebhookFormat = ({ type }, event, { settings }) =>
  event.kind === 'team'
    ? undefined
    : { body: JSON.stringify([type, event.subject]), headers: { 'x-key': settings ?? '' } };
const caller = new CallEndpoint(client, { named: (name) => (name === 'brief' ? brief : undefined) });

const message: DueMessage = {
  id: newId(),
  webhookId: newId(),
  type: 'suppression.added',
  source: { id: newId(), seq: null },
  createdAt: new Date(),
  attempt: 0,
  round: 0,
};
const secrets = { current: 'whsec_x', previous: undefined };
const endpoint = { teamId: newId(), endpoint: 'https://hooks.test/#a', format: 'brief', settings: 'own', secrets };
const event = { kind: 'team', data: '{}' } as const;
const sentAt = new Date();

it('an endpoint is called in our format, unless it has another one', async () => {
  expect(await caller.call({ message, event, endpoint: { ...endpoint, format: 'postrider' }, sentAt })).toMatchObject({
    result: { status: 200 },
  });
  expect(made.pop()).toMatchObject({ url: 'https://hooks.test/', request: { headers: {} } });
});

it('an event that a format does not have is done without a call', async () => {
  expect(await caller.call({ message, event, endpoint, sentAt })).toMatchObject({ notCalled: 'not wanted' });
  expect(made).toEqual([]);
});

it('a test event is shown as one of an email', async () => {
  const test = { ...message, type: 'webhook.test' as DueMessage['type'] };
  await caller.call({ message: test, event, endpoint, sentAt });
  expect(made.pop()?.request).toEqual({
    body: '["email.delivered","This is a test."]',
    headers: { 'x-key': 'own' },
  });
});

it('a call in a format that is off has failed, and is tried again like others', async () => {
  const ended = await caller.call({ message, event, endpoint: { ...endpoint, format: 'mailgun' }, sentAt });
  expect(ended).toEqual({ result: { status: 0, response: expect.stringContaining('WIRES'), durationMs: 0 } });
  expect(made).toEqual([]);
});
