import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { InboundProgram, inboundDomain, inboundHost } from '../support/programs/inbound-program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';

let inbound: InboundProgram;
let domainId: string;

beforeAll(async () => {
  inbound = await InboundProgram.start();
  const { data } = await inbound.resend.domains.list();
  domainId = data?.data.find(({ name }) => name === inboundDomain)?.id ?? '';
});
afterAll(() => inbound.stop());

async function api(method: string, path: string, body?: unknown, key?: string) {
  const response = await inbound.program.request(path, {
    method,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ParsedJson };
}

const idOf = async (email_address: string, fields: object = {}): Promise<string> => {
  const { status, body } = await api('POST', '/inboxes', { email_address, ...fields });
  expect(status).toBe(201);
  return body.id as string;
};
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('an inbox', () => {
  it('is created, read, changed and removed by the unmodified client, by its id and by its address', async () => {
    const { inboxes } = inbound.resend;
    const created = await inboxes.create({ emailAddress: 'Support@Acme.test', name: 'Support', fromName: 'Acme Help' });
    const id = created.data?.id ?? '';
    const shown = {
      id,
      name: 'Support',
      email_address: 'support@acme.test',
      from_name: 'Acme Help',
      unread: 0,
      last_received: null,
      created_at: moment,
      updated_at: moment,
    };
    const whole = { object: 'inbox', ...shown, domain_id: domainId, receiving_address: null, drafts: 0 };
    expect(created.data).toEqual(whole);
    for (const name of [id, 'support@acme.test', 'SUPPORT@acme.test'])
      expect((await inboxes.get(name)).data).toEqual(whole);
    expect((await inboxes.list()).data).toEqual({ object: 'list', has_more: false, data: [shown] });

    expect((await inboxes.update('support@acme.test', { name: 'Help' })).data).toEqual({ object: 'inbox', id });
    expect((await inboxes.get(id)).data).toMatchObject({ name: 'Help', from_name: 'Acme Help' });
    expect((await api('PATCH', `/inboxes/${id}`, { name: null })).status).toBe(200);
    expect((await inboxes.get(id)).data?.name).toBe('');
    expect((await inboxes.remove(id)).data).toEqual({ object: 'inbox', id, deleted: true });
    expect((await inboxes.get(id)).error).toMatchObject({ name: 'not_found', message: 'Inbox not found' });
  });

  it('is refused where it cannot be', async () => {
    const refused = async (body: object) => {
      const { status, body: answer } = await api('POST', '/inboxes', body);
      return [status, answer.name];
    };
    await idOf('twice@acme.test');
    expect(await refused({})).toEqual([422, 'missing_required_field']);
    expect(await refused({ email_address: 'TWICE@acme.test' })).toEqual([422, 'validation_error']);
    expect(await refused({ email_address: 'a@elsewhere.test' })).toEqual([403, 'validation_error']);
    expect(await refused({ email_address: 'a@elsewhere.test', forwarding: true })).toEqual([403, 'validation_error']);
    expect(await refused({ email_address: 'a@acme.test', from_name: 'A <b>' })).toEqual([422, 'validation_error']);
    expect(await refused({ email_address: 'a@acme.test', name: 'a\0b' })).toEqual([422, 'validation_error']);
    expect((await api('PATCH', '/inboxes/twice@acme.test', {})).status).toBe(422);
    for (const name of ['nobody@acme.test', 'nothing', '%00', '0193a1f7-2c4e-7a19-8f63-d08b5e91c7a4'])
      expect([404, 422]).toContain((await api('GET', `/inboxes/${name}`)).status);
    await api('DELETE', '/inboxes/twice@acme.test');
  });

  it('is there for its own team alone, and not for a sending key', async () => {
    const { apiKey } = await addSecondTeam(inbound.program.postrider.app);
    const id = await idOf('mine@acme.test');
    for (const name of [id, 'mine@acme.test'])
      for (const [method, path, body] of [
        ['GET', `/inboxes/${name}`],
        ['PATCH', `/inboxes/${name}`, { name: 'x' }],
        ['DELETE', `/inboxes/${name}`],
        ['GET', `/inboxes/${name}/agent`],
        ['PATCH', `/inboxes/${name}/agent`, { tone: null }],
        ['GET', `/inboxes/${name}/labels`],
        ['POST', `/inboxes/${name}/labels`, { name: 'x' }],
      ] as const)
        expect(await api(method, path, body, apiKey)).toMatchObject({
          status: 404,
          body: { message: 'Inbox not found' },
        });
    expect((await api('POST', '/inboxes', { email_address: 'x@acme.test' }, apiKey)).status).toBe(403);
    const { data } = await inbound.resend.apiKeys.create({ name: 'sends', permission: 'sending_access' });
    expect(await api('GET', '/inboxes', undefined, data?.token)).toMatchObject({
      status: 401,
      body: { name: 'restricted_api_key' },
    });
    await api('DELETE', `/inboxes/${id}`);
  });

  it('counts against the limit of its team', async () => {
    const { app } = inbound.program.postrider;
    const id = await idOf('first@acme.test');
    await app.get(Database).execute({
      text: `INSERT INTO inboxes (id, team_id, domain_id, address, created_at, updated_at)
             SELECT uuidv7(), team_id, domain_id, n || '@full.test', now(), now() FROM inboxes, generate_series(2, 1000) n WHERE id = $1`,
      values: [id],
    });
    expect(await api('POST', '/inboxes', { email_address: 'more@acme.test' })).toMatchObject({
      status: 403,
      body: { message: 'A team may have at most 1,000 inboxes.' },
    });
    await app.get(Database).execute({ text: `DELETE FROM inboxes WHERE address LIKE '%@full.test'`, values: [] });
    await api('DELETE', `/inboxes/${id}`);
  });

  it('tells webhooks of its changes', async () => {
    const receiver = await WebhookReceiver.listen();
    const events = ['inbox.created', 'inbox.updated', 'inbox.deleted'] as const;
    const { data: webhook } = await inbound.resend.webhooks.create({ endpoint: receiver.url, events: [...events] });
    const id = await idOf('told@acme.test', { name: 'Told' });
    await api('PATCH', `/inboxes/${id}`, { name: 'Retold' });
    await api('PATCH', `/inboxes/${id}`, { name: 'Retold' });
    await api('DELETE', `/inboxes/${id}`);
    await until(() => receiver.ofType('inbox.deleted').length === 1);
    await until(() => receiver.ofType('inbox.updated').length === 1);
    expect(receiver.ofType('inbox.created')[0]?.payload.data).toMatchObject({
      source: 'api',
      inbox_id: id,
      inbox: { object: 'inbox', id, name: 'Told', email_address: 'told@acme.test', domain_id: domainId, drafts: 0 },
    });
    expect(receiver.ofType('inbox.deleted')[0]?.payload.data).toEqual({ source: 'api', inbox_id: id });
    await inbound.resend.webhooks.remove(webhook?.id ?? '');
    await receiver.close();
  });
});

describe('labels and the agent of an inbox', () => {
  it('labels are created, changed, listed and removed by the unmodified client', async () => {
    await idOf('labels@acme.test');
    const inbox = { emailAddress: 'labels@acme.test' };
    const { labels } = inbound.resend.inboxes;
    const { data: urgent } = await labels.create({ ...inbox, name: 'Urgent', color: '#E5484D' });
    const { data: bug } = await labels.create({ ...inbox, name: 'Bug' });
    expect(urgent).toMatchObject({ object: 'inbox_label', name: 'Urgent', color: '#E5484D' });
    expect((await labels.create({ ...inbox, name: 'BUG' })).error?.statusCode).toBe(422);
    expect((await labels.update({ ...inbox, labelId: bug?.id ?? '', name: 'Fault' })).data).toEqual({
      object: 'inbox_label',
      id: bug?.id,
    });
    expect((await labels.list(inbox)).data).toMatchObject({
      object: 'list',
      data: [
        { id: bug?.id, name: 'Fault', color: expect.stringMatching(/^#[0-9A-F]{6}$/), created_at: moment },
        { id: urgent?.id, name: 'Urgent', color: '#E5484D' },
      ],
    });
    expect((await labels.remove({ ...inbox, labelId: bug?.id ?? '' })).data).toMatchObject({ deleted: true });
    for (let n = 1; n < 100; n++) await labels.create({ ...inbox, name: `Label ${n}` });
    const full = await api('POST', '/inboxes/labels@acme.test/labels', { name: 'More' });
    expect(full).toMatchObject({ status: 422, body: { message: 'An inbox may have at most 100 labels.' } });
    await api('DELETE', '/inboxes/labels@acme.test');
  });

  it('a removed label is taken from its threads', async () => {
    const id = await idOf('threads@acme.test');
    const { data: label } = await inbound.resend.inboxes.labels.create({ inboxId: id, name: 'Urgent' });
    const database = inbound.program.postrider.app.get(Database);
    await database.execute({
      text: `INSERT INTO inbox_threads (id, inbox_id, root, folder, labels, email_count, last_no, read_through, is_unread, has_attachment, last_email_id, last_email_at)
             SELECT uuidv7(), $1, uuidv7(), 'inbox', ARRAY[$2::uuid, $1::uuid], 0, 0, 0, false, false, uuidv7(), now() FROM generate_series(1, 2500)`,
      values: [id, label?.id],
    });
    await inbound.resend.inboxes.labels.remove({ inboxId: id, labelId: label?.id ?? '' });
    const left = await database.query({
      text: 'SELECT DISTINCT labels FROM inbox_threads WHERE inbox_id = $1',
      values: [id],
    });
    expect(left).toEqual([{ labels: [id] }]);
    await api('DELETE', `/inboxes/${id}`);
  });

  it('the settings of the agent are kept', async () => {
    const id = await idOf('agent@acme.test');
    const { agent } = inbound.resend.inboxes;
    const none = { object: 'inbox_agent', instructions: null, tone: null, actions: [] };
    expect((await agent.get({ inboxId: id })).data).toEqual(none);
    const settings = { instructions: 'Be kind.', tone: 'concise_casual' as const, actions: ['archive' as const] };
    expect((await agent.update({ inboxId: id, ...settings })).data).toEqual({ object: 'inbox_agent', id });
    expect((await agent.get({ emailAddress: 'agent@acme.test' })).data).toEqual({ ...none, ...settings });
    const older = { enabled_actions: ['draft_reply'], instructions: null, tone: null };
    expect((await api('PATCH', `/inboxes/${id}/agent`, older)).status).toBe(200);
    expect((await agent.get({ inboxId: id })).data).toEqual({ ...none, actions: ['draft_reply'] });
    for (const body of [{}, { tone: 'kind' }, { actions: ['delete_thread'] }, { instructions: 'x'.repeat(4_001) }])
      expect((await api('PATCH', `/inboxes/${id}/agent`, body)).status).toBe(422);
    await api('DELETE', `/inboxes/${id}`);
  });
});

describe('mail for an inbox', () => {
  const arrivals = async (inboxId: string): Promise<number> =>
    (
      await inbound.program.postrider.app.get(Database).query({
        text: `SELECT received_id AS id FROM inbox_arrivals WHERE inbox_id = $1
               UNION SELECT id FROM inbox_emails WHERE inbox_id = $1`,
        values: [inboxId],
      })
    ).length;

  it('is taken though a route refuses or drops all mail', async () => {
    const id = await idOf('box@acme.test');
    const { body: route } = await api('POST', '/routes', {
      recipient: '*@acme.test',
      action: { type: 'reject', text: 'Nobody is here' },
    });
    const letter = 'From: ada@customer.test\nSubject: Hello\n\nHi\n';
    expect(await inbound.bring(letter, { to: 'other@acme.test' })).toContain('Nobody is here');
    for (const to of ['box@acme.test', 'Box+orders@acme.test']) await inbound.received(letter, { to });
    await api('PATCH', `/routes/${route.id}`, { action: { type: 'drop' } });
    await inbound.received(letter, { to: 'box@acme.test' });
    expect(await arrivals(id)).toBe(3);
    await api('DELETE', `/inboxes/${id}`);
    await api('PATCH', `/routes/${route.id}`, { action: { type: 'reject', text: 'Nobody is here' } });
    await until(async () => /Nobody is here/.test(await inbound.bring(letter, { to: 'box@acme.test' })));
    await api('DELETE', `/routes/${route.id}`);
  });

  it('comes over another server by the address that only the team knows', async () => {
    const { body } = await api('POST', '/inboxes', { email_address: 'forwarded@acme.test', forwarding: true });
    const address = body.receiving_address as string;
    expect(address).toMatch(new RegExp(`^inbox-[0-9a-f]{32}@${inboundHost.replaceAll('.', '\\.')}$`));
    const letter = 'From: ada@customer.test\nTo: forwarded@acme.test\nSubject: Hello\n\nHi\n';
    const id = await inbound.received(letter, { to: address });
    const { data } = await inbound.resend.emails.receiving.get(id);
    expect(data).toMatchObject({ to: ['forwarded@acme.test'], received_for: [address], subject: 'Hello' });
    expect(await arrivals(body.id as string)).toBe(1);
    for (const to of [address.replace(/[0-9a-f]@/, 'x@'), `inbox-${'0'.repeat(32)}@${inboundHost}`, `a@${inboundHost}`])
      expect(await inbound.bring(letter, { to })).toMatch(/^5\d\d /);
    await api('DELETE', `/inboxes/${body.id}`);
    expect(await inbound.bring(letter, { to: address })).toMatch(/^5\d\d /);
  });
});
