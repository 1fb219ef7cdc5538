import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { AutomationSteps, chain, Steps, waits } from '../support/builders/automation-steps.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';

let program: TestProgram;
let resend: Resend;
let automations: AutomationSteps;

beforeAll(async () => {
  program = await startProgram();
  resend = program.resend;
  automations = new AutomationSteps(resend);
});

afterAll(() => program.stop());

describe('events', () => {
  it('are defined, read, changed and removed', async () => {
    const { data: created } = await resend.events.create({ name: 'order.paid', schema: { total: 'number' } });
    expect(created).toEqual({ object: 'event', id: expect.any(String) });
    const { data: byName } = await resend.events.get('order.paid');
    expect(byName).toMatchObject({ object: 'event', id: created?.id, schema: { total: 'number' }, updated_at: null });
    expect((await resend.events.update('order.paid', { schema: null })).data).toEqual(created);
    expect((await resend.events.get(created?.id as string)).data).toMatchObject({ schema: null });
    expect((await resend.events.list()).data?.data).toEqual([expect.objectContaining({ name: 'order.paid' })]);
    expect((await resend.events.create({ name: 'order.paid' })).error?.message).toContain('exists already');
    expect((await resend.events.remove('order.paid')).data).toEqual({ ...created, deleted: true });
    expect((await resend.events.get('order.paid')).error).toMatchObject({
      statusCode: 404,
      message: 'Event not found',
    });
  });

  it('are found by names with slashes, spaces and signs', async () => {
    for (const name of ['shop/order paid', 'a+b', '100% öffentlich']) {
      const { data } = await resend.events.create({ name });
      expect((await resend.events.get(name)).data?.id).toBe(data?.id);
    }
    // Ruby writes a space as a plus, and a plus as %2B.
    await resend.events.create({ name: 'order paid+x' });
    await resend.events.create({ name: 'order+paid x' });
    for (const [path, name] of [
      ['shop%2Forder+paid', 'shop/order paid'],
      ['order+paid%2Bx', 'order paid+x'],
      ['order%2Bpaid+x', 'order+paid x'],
    ]) {
      const response = await program.request(`/events/${path}`);
      expect(((await response.json()) as ParsedJson).name).toBe(name);
    }
    const contact = 'blanks@sink.test';
    await program.request('/events/send', {
      method: 'POST',
      body: JSON.stringify({ event: 'paid now+here', email: contact }),
    });
    await until(async () => (await program.request('/events/seen/paid+now%2Bhere')).status === 200);
  });

  it('are sent a hundred at a time, all of them or none', async () => {
    const { data: contact } = await resend.contacts.create({ email: 'batched@sink.test' });
    const send = async (events: readonly unknown[]): Promise<unknown> => {
      const response = await program.request('/events/batch', { method: 'POST', body: JSON.stringify(events) });
      const { data, message } = (await response.json()) as ParsedJson;
      return [response.status, data ?? message];
    };
    const fine = Array.from({ length: 99 }, (_, no) => ({ event: 'batched', email: `batched${no}@sink.test` }));
    const stranger = { event: 'batched', contact_id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d' };
    expect(await send([...fine, stranger])).toEqual([404, 'The event at index 99: Contact not found']);
    expect(await send([...fine, {}])).toEqual([422, 'The event at index 99: Missing `event` field.']);
    expect(await send([...fine, 7])).toEqual([422, expect.stringContaining('The event at index 99: ')]);
    const answer = [...fine, 0].map(() => ({ object: 'event', event: 'batched' }));
    expect(await send([...fine, { event: 'batched', contact_id: contact?.id }])).toEqual([202, answer]);
    // Those of the refused batches would be among them.
    await until(async () => {
      const seen = (await (await program.request('/events/seen/batched')).json()) as ParsedJson;
      return seen.count === 100;
    });
  });

  it('are stored as they were sent, also in a large body with names that attachments have', async () => {
    const payload = { data: [1, 2, 3], content: 'x'.repeat(17_000), attachments: [{ data: [7] }] };
    const batch = Array.from({ length: 31 }, (_, no) => ({ event: 'large', email: `large${no}@sink.test`, payload }));
    const body = JSON.stringify(batch);
    expect(body.length).toBeGreaterThan(512 * 1024);
    expect((await program.request('/events/batch', { method: 'POST', body })).status).toBe(202);
    await until(async () => (await program.request('/events/seen/large')).status === 200);
    const seen = (await (await program.request('/events/seen/large')).json()) as ParsedJson;
    // Of a large payload the first fields are shown.
    expect((seen.last_payloads as { payload: unknown }[])[0]?.payload).toEqual({ data: payload.data });
  });

  it('are refused with payloads that do not fit, without a contact, and with two', async () => {
    await resend.events.create({ name: 'typed', schema: { total: 'number' } });
    const refused = async (body: object): Promise<unknown> => {
      const response = await program.request('/events/send', { method: 'POST', body: JSON.stringify(body) });
      const { name, message } = (await response.json()) as ParsedJson;
      return [response.status, name, message];
    };
    const email = 'ada@sink.test';
    expect(await refused({ event: 'typed', email, payload: { total: 'many' } })).toEqual([
      422,
      'validation_error',
      'The `total` of the `payload` must be a number.',
    ]);
    expect(await refused({ event: 'typed' })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('exactly one'),
    ]);
    expect(await refused({ event: 'typed', email, contact_id: program.url })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('exactly one'),
    ]);
    expect(await refused({ event: 'typed', contact_id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d' })).toEqual([
      404,
      'not_found',
      'Contact not found',
    ]);
    expect(await refused({ email })).toEqual([422, 'missing_required_field', 'Missing `event` field.']);
    expect(await refused({ event: 'resend:x', email })).toEqual([
      422,
      'validation_error',
      expect.stringContaining('resend:'),
    ]);
    expect(await refused({ event: 'typed', email: 'nobody' })).toEqual([422, 'validation_error', expect.anything()]);
  });
});

describe('automations', () => {
  const delay: Steps[number] = { key: 'later', type: 'delay', config: { duration: '1 day' } };

  it('are created, read, changed, copied, stopped and removed', async () => {
    const { data: created } = await resend.automations.create({ name: 'Welcome', ...chain('user.created', delay) });
    const id = created?.id as string;
    expect(created).toEqual({ object: 'automation', id: expect.any(String) });
    const { data: read } = await resend.automations.get(id);
    expect(read).toEqual({
      object: 'automation',
      id,
      name: 'Welcome',
      status: 'disabled',
      created_at: expect.any(String),
      updated_at: null,
      steps: [
        { key: 'start', type: 'trigger', config: { event_name: 'user.created' } },
        { key: 'later', type: 'delay', config: { duration: '1 day' } },
      ],
      connections: [{ from: 'start', to: 'later', type: 'default' }],
      // An addition of ours.
      settings: {
        entry: 'every_time',
        entry_after: null,
        quiet_hours: null,
        max_emails_per_day: null,
        time_zone: null,
      },
    });
    expect((await resend.automations.update(id, { status: 'enabled' })).data).toEqual(created);
    expect((await resend.automations.list({ status: 'enabled' })).data?.data).toMatchObject([{ id, name: 'Welcome' }]);
    const { data: copy } = await resend.automations.duplicate(id);
    expect((await resend.automations.get(copy?.id as string)).data).toMatchObject({
      name: 'Welcome (copy)',
      status: 'disabled',
      steps: read?.steps,
    });
    expect((await resend.automations.stop(id)).data).toEqual({ object: 'automation', id, status: 'disabled' });
    for (const each of [id, copy?.id as string]) {
      expect((await resend.automations.remove(each)).data).toEqual({ object: 'automation', id: each, deleted: true });
    }
    expect((await resend.automations.get(id)).error).toMatchObject({
      statusCode: 404,
      message: 'Automation not found',
    });
    expect((await resend.automations.runs.list({ automationId: id })).error?.statusCode).toBe(404);
  });

  it('are refused with the key of the step that is wrong', async () => {
    const refused = async (steps: unknown[], more: object = {}): Promise<string | undefined> =>
      (await resend.automations.create({ name: 'Test', connections: [], ...more, steps: steps as Steps })).error
        ?.message;
    expect(await refused([{ key: 'begin', type: 'trigger', config: {} }])).toBe(
      'Invalid step `begin`: Missing `event_name` field.',
    );
    expect(await refused([delay])).toContain('needs a step of the type `trigger`');
    const unknown: Steps[number] = { key: 'mail', type: 'send_email', config: { template: { id: 'none' } } };
    const { steps, connections } = chain('x', unknown);
    expect(await refused(steps, { connections, status: 'enabled' })).toBe(
      'The template `none` of the step `mail` does not exist or is not published.',
    );
    const nothing = await resend.automations.update('0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d', {});
    expect(nothing.error).toMatchObject({ statusCode: 422, message: expect.stringContaining('at least one') });
  });

  it('of other teams do not exist', async () => {
    const id = await automations.enabled(chain('of.mine', delay));
    await automations.sent('of.mine', 'mine@sink.test');
    const { id: runId } = await automations.runThat(id, waits('later'));
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const call = async (path: string, method = 'GET'): Promise<number> =>
      (await program.request(path, { method, headers: { authorization: `Bearer ${apiKey}` } })).status;
    expect(await call(`/automations/${id}`)).toBe(404);
    expect(await call(`/automations/${id}`, 'DELETE')).toBe(404);
    expect(await call(`/automations/${id}/stop`, 'POST')).toBe(404);
    expect(await call(`/automations/${id}/duplicate`, 'POST')).toBe(404);
    expect(await call(`/automations/${id}/runs`)).toBe(404);
    expect(await call(`/automations/${id}/runs/${runId}`)).toBe(404);
    expect(await call(`/automations/${id}/runs/${runId}/cancel`, 'POST')).toBe(404);
    expect(await call('/events/typed')).toBe(404);
  });
});
