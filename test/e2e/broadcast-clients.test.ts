import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { McpClient } from '../support/clients/mcp-client.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testApiKey, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let resend: Resend;
let segmentId: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
  resend = program.resend;
  const database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const steps = new BroadcastSteps(database, team?.id ?? '');
  segmentId = await steps.segment();
  await steps.contacts(segmentId, 3);
});

afterAll(() => program.stop());

const html = '<p>Hi {{{FIRST_NAME|there}}}</p><a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>';
const news = { from: testSender, subject: 'News', html };

async function created(fields: object = {}): Promise<string> {
  const { data, error } = await resend.broadcasts.create({ ...news, segmentId, ...fields });
  expect(error).toBeNull();
  return data?.id as string;
}

async function call(path: string, body?: unknown, method = 'POST'): Promise<{ status: number; json: ParsedJson }> {
  const response = await program.request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

const ended = (id: string): Promise<boolean> =>
  until(async () => (await resend.broadcasts.get(id)).data?.status === 'sent');

it('bodies are read as other clients send them', async () => {
  // Go repeats the id, and sends empty strings for absent fields. Python repeats the id as well.
  const id = await created({ name: 'Kept' });
  const go = {
    broadcast_id: id,
    name: '',
    from: '',
    subject: 'S',
    html: '',
    text: '',
    preview_text: '',
    segment_id: '',
  };
  expect((await call(`/broadcasts/${id}`, go, 'PATCH')).json).toEqual({ object: 'broadcast', id });
  expect((await call(`/broadcasts/${id}`, undefined, 'GET')).json).toMatchObject({ name: 'Kept', subject: 'S', html });
  expect((await call(`/broadcasts/${id}/send`, { broadcast_id: id, scheduled_at: '' })).status).toBe(200);
  const python = { ...news, audience_id: segmentId, reply_to: ['a@acme.test'], name: null, text: null, send: false };
  expect((await call('/broadcasts', python)).status).toBe(201);
  const empty = await call('/broadcasts', {});
  expect(empty).toMatchObject({
    status: 422,
    json: { name: 'missing_required_field', message: 'Missing `from` field.' },
  });
  await ended(id);
});

it('sending, canceling and deleting at the same time have one outcome', async () => {
  const id = await created();
  const calls = Array.from({ length: 6 }, () => resend.broadcasts.send(id));
  const answers = await Promise.all([...calls, resend.broadcasts.send(id, { scheduledAt: 'in 1 hour' })]);
  expect(answers.filter(({ error }) => error === null).length).toBeGreaterThan(0);
  expect(answers.every(({ error }) => error === null || [403, 409].includes(error.statusCode ?? 0))).toBe(true);
  await Promise.all([resend.broadcasts.cancel(id), resend.broadcasts.remove(id), call(`/broadcasts/${id}/pause`)]);
  const { json } = await call(`/broadcasts/${id}/progress`, undefined, 'GET');
  expect(['sent', 'canceled', 'paused', 'queued']).toContain(json.status);
  expect(json.counts.accepted).toBeLessThanOrEqual(3);
});

it('webhooks say to which broadcast an email belongs, also the one to a suppressed contact', async () => {
  const webhook = await resend.webhooks.create({
    endpoint: 'https://hooks.acme.test/hook',
    events: ['email.sent', 'email.suppressed'],
  });
  await resend.suppressions.add({ email: 'user2@sink.test' });
  const id = await created({ send: true });
  const path = `/webhooks/${webhook.data?.id}/events`;
  const events = await until(async () => {
    const { data } = (await call(path, undefined, 'GET')).json as { data: { id: string }[] };
    return data.length === 3 ? data : undefined;
  });
  const payloads = await Promise.all(
    events.map(async (event) => (await call(`${path}/${event.id}`, undefined, 'GET')).json.payload),
  );
  expect(payloads.map(({ type }) => type).sort()).toEqual(['email.sent', 'email.sent', 'email.suppressed']);
  for (const { data } of payloads) expect(data.broadcast_id).toBe(id);
  const { data } = payloads.find(({ type }) => type === 'email.suppressed') ?? {};
  expect(data).toMatchObject({ to: ['user2@sink.test'], suppressed: { type: expect.any(String) } });
  expect((await resend.emails.get(data.email_id)).data?.last_event).toBe('suppressed');
  const asked = `/broadcasts/${id}/recipients?type=suppressed`;
  await until(async () => (await call(asked, undefined, 'GET')).json.data.length === 1);
  await resend.suppressions.remove('user2@sink.test');
});

it('the public server for assistants lists, creates, edits and sends broadcasts', async () => {
  const mcp = await McpClient.start(program.url, testApiKey);
  try {
    const made = await mcp.call('create-broadcast', {
      name: 'By an assistant',
      segmentId,
      ...news,
      replyTo: [testSender],
    });
    const id = /ID: (\S+)/.exec(made)?.[1] as string;
    expect(await mcp.call('list-broadcasts')).toContain('By an assistant');
    await mcp.call('update-broadcast', { broadcastId: id, subject: 'Edited', previewText: 'New' });
    expect(await mcp.call('get-broadcast', { broadcastId: id })).toContain('Edited');
    await mcp.call('send-broadcast', { broadcastId: id, scheduledAt: 'tomorrow at 10am' });
    expect((await resend.broadcasts.get(id)).data).toMatchObject({ status: 'scheduled', preview_text: 'New' });
    await mcp.call('cancel-broadcast', { broadcastId: id });
    await expect(mcp.call('cancel-broadcast', { broadcastId: id })).rejects.toThrow('can be canceled');
    const copied = await mcp.call('duplicate-broadcast', { broadcastId: id });
    expect(copied).not.toContain(id);
    await mcp.call('send-broadcast', { broadcastId: id });
    await ended(id);
    await until(async () =>
      (await mcp.call('list-broadcast-recipients', { broadcastId: id, type: 'delivered' })).includes('user2'),
    );
    expect(await mcp.call('list-broadcast-clicked-links', { broadcastId: id })).toContain('No');
    await expect(mcp.call('remove-broadcast', { broadcastId: id })).rejects.toThrow('can be deleted');
  } finally {
    mcp.stop();
  }
});

it('another team sees nothing, and a key for sending only sends', async () => {
  const id = await created();
  const stranger = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
  const { broadcasts } = stranger;
  for (const attempt of [
    ...[broadcasts.get(id), broadcasts.update(id, { name: 'x' }), broadcasts.send(id), broadcasts.cancel(id)],
    ...[broadcasts.duplicate(id), broadcasts.remove(id), broadcasts.clickedLinks(id)],
    broadcasts.recipients(id, { type: 'sent' }),
  ]) {
    expect((await attempt).error).toMatchObject({ statusCode: 404, message: 'Broadcast not found' });
  }
  expect((await broadcasts.list()).data?.data).toEqual([]);
  const theirs = { ...news, segmentId };
  expect((await broadcasts.create(theirs)).error).toMatchObject({ message: expect.stringContaining('does not exist') });
  const key = await resend.apiKeys.create({ name: 'Sending', permission: 'sending_access' });
  const sender = new Resend(key.data?.token ?? '', { baseUrl: program.url }).broadcasts;
  for (const attempt of [sender.list(), sender.get(id), sender.create(theirs), sender.remove(id), sender.cancel(id)]) {
    expect((await attempt).error).toMatchObject({ statusCode: 401, name: 'restricted_api_key' });
  }
  expect((await sender.send(id)).error).toBeNull();
  await ended(id);
});
