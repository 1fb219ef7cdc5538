import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { ReleaseScheduled } from '#emails';
import { Clock, newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { until } from '../support/runner/until.js';

const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();
let program: TestProgram;
let resend: Resend;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport).use(Clock, clock));
  resend = program.resend;
});

afterAll(() => program.stop());

const order = {
  name: 'Order',
  subject: 'Order {{{ORDER}}}',
  html: '<p title="{{NAME|you}}">Hello {{{NAME|there}}}, {{{ORDER}}} from {{{CITY}}}</p>',
  variables: [
    { key: 'NAME', type: 'string' as const },
    { key: 'ORDER', type: 'number' as const },
    { key: 'CITY', type: 'string' as const, fallbackValue: 'Paris' },
  ],
};

async function created(fields: object = {}): Promise<string> {
  const { data, error } = await resend.templates.create({ ...order, ...fields });
  expect(error).toBeNull();
  return data?.id as string;
}

async function published(fields: object = {}): Promise<string> {
  const id = await created(fields);
  expect((await resend.templates.publish(id)).error).toBeNull();
  return id;
}

async function refusal(path: string, body: unknown, method = 'POST'): Promise<unknown[]> {
  const response = await program.request(path, { method, body: JSON.stringify(body) });
  const { name, message } = (await response.json()) as ParsedJson;
  return [response.status, name, message];
}

const send = (id: string, variables: Record<string, string | number> = {}, fields: object = {}) =>
  resend.emails.send({ from: testSender, to: 'ada@sink.test', template: { id, variables }, ...fields });

const read = async (id: string | undefined): Promise<ParsedJson> =>
  (await program.request(`/emails/${id}`)).json() as Promise<ParsedJson>;

const delivered = (id: string | undefined): Promise<string> =>
  until(() => {
    const message = transport.delivered.find(({ emailId }) => emailId === id);
    return message === undefined ? undefined : Buffer.from(message.content).toString();
  });

describe('every method of the client', () => {
  it('creates, publishes, reads, lists, changes, duplicates and removes', async () => {
    const alias = `order-${newId().slice(-8)}`;
    const made = await resend.templates.create({ ...order, alias }).publish();
    const id = made.data?.id as string;
    expect(made.data).toEqual({ object: 'template', id });
    for (const name of [id, alias]) {
      expect((await resend.templates.get(name)).data).toMatchObject({
        object: 'template',
        id,
        alias,
        name: 'Order',
        status: 'published',
        has_unpublished_versions: false,
        variables: [
          { key: 'NAME', fallback_value: null },
          { key: 'ORDER', type: 'number' },
          { key: 'CITY', fallback_value: 'Paris' },
        ],
      });
    }
    expect((await resend.templates.update(alias, { subject: 'Changed {{{ORDER}}}' })).data).toEqual({
      object: 'template',
      id,
    });
    expect((await resend.templates.get(id)).data).toMatchObject({
      subject: 'Changed {{{ORDER}}}',
      has_unpublished_versions: true,
    });
    const copy = await resend.templates.duplicate(alias).publish();
    expect((await resend.templates.get(copy.data?.id as string)).data).toMatchObject({
      name: 'Order (Copy)',
      alias: null,
      status: 'published',
    });
    const listed = await resend.templates.list({ limit: 1 });
    expect(listed.data).toMatchObject({ object: 'list', has_more: true, data: [{ id: copy.data?.id }] });
    expect((await resend.templates.list({ limit: 1, after: copy.data?.id as string })).data?.data[0]?.id).toBe(id);
    expect((await resend.templates.remove(alias)).data).toEqual({ object: 'template', id, deleted: true });
    expect((await resend.templates.get(id)).error).toMatchObject({ statusCode: 404, message: 'Template not found' });
  });

  it('gets errors in the form of the contract', async () => {
    const id = await created({ alias: 'taken' });
    expect(await refusal('/templates', { html: 'x' })).toEqual([
      422,
      'missing_required_field',
      'Missing `name` field.',
    ]);
    expect(await refusal('/templates', { name: 'x', html: '{{{X}}}' })).toEqual([
      422,
      'validation_error',
      "Variable 'X' is used in the template but not defined in the variables list",
    ]);
    expect(await refusal('/templates', { name: 'x', html: 'y', alias: 'taken' })).toMatchObject([
      422,
      'validation_error',
      expect.any(String),
    ]);
    expect(await refusal('/templates', { name: 'x', html: 'y'.repeat(1_100_000) })).toMatchObject([
      413,
      'validation_error',
      expect.any(String),
    ]);
    // As Go's client sends a change of one field.
    const go = { name: '', html: '', alias: '', subject: 'S {{{ORDER}}}', from: '', variables: null };
    await program.request(`/templates/${id}`, { method: 'PATCH', body: JSON.stringify(go) });
    expect((await resend.templates.get(id)).data).toMatchObject({
      name: 'Order',
      alias: 'taken',
      subject: 'S {{{ORDER}}}',
    });
  });

  it('sees nothing of another team', async () => {
    const id = await published({ alias: 'theirs' });
    const stranger = new Resend((await addSecondTeam(program.postrider.app)).apiKey, { baseUrl: program.url });
    for (const name of [id, 'theirs']) {
      expect((await stranger.templates.get(name)).error).toMatchObject({ statusCode: 404 });
      expect((await stranger.templates.update(name, { name: 'x' })).error).toMatchObject({ statusCode: 404 });
      expect((await stranger.templates.publish(name)).error).toMatchObject({ statusCode: 404 });
      expect((await stranger.templates.duplicate(name)).error).toMatchObject({ statusCode: 404 });
      expect((await stranger.templates.remove(name)).error).toMatchObject({ statusCode: 404 });
    }
    expect((await stranger.templates.list()).data?.data).toEqual([]);
    expect((await resend.templates.get(id)).error).toBeNull();
  });
});

describe('an email with a template', () => {
  it('is rendered, for the API and for the receiver', async () => {
    const id = await published({ from: testSender, replyTo: ['help@acme.test'], alias: 'shipped' });
    const { data, error } = await resend.emails.send({
      to: 'ada@sink.test',
      template: { id: 'shipped', variables: { NAME: '<b>"Ada"</b>', ORDER: 42 } },
    });
    expect(error).toBeNull();
    const html = '<p title="&#60;b&#62;&#34;Ada&#34;&#60;/b&#62;">Hello <b>"Ada"</b>, 42 from Paris</p>';
    expect(await read(data?.id)).toMatchObject({
      from: testSender,
      reply_to: ['help@acme.test'],
      subject: 'Order 42',
      html,
    });
    const message = await delivered(data?.id);
    expect(message).toContain('Subject: Order 42\r\n');
    expect(message).toContain('Hello "Ada", 42 from Paris');
    expect((await send(id, { ORDER: 1 }, { subject: 'Mine' })).error).toBeNull();
  });

  it('keeps the version with which it was accepted', async () => {
    const id = await published({ html: '<p>One {{{ORDER}}}</p>' });
    const scheduled = await send(
      id,
      { ORDER: 1 },
      { scheduledAt: new Date(clock.now().getTime() + 60_000).toISOString() },
    );
    await resend.templates.update(id, { html: '<p>Two {{{ORDER}}}</p>' });
    const before = await send(id, { ORDER: 2 });
    await resend.templates.publish(id);
    const after = await send(id, { ORDER: 3 });
    await resend.templates.remove(id);
    clock.advance(61_000);
    await program.postrider.app.get(ReleaseScheduled).release();
    expect(await delivered(scheduled.data?.id)).toContain('One 1');
    expect(await delivered(before.data?.id)).toContain('One 2');
    expect(await delivered(after.data?.id)).toContain('Two 3');
  });

  it('may have attachments', async () => {
    const content = Buffer.from('attached').toString('base64');
    const { data } = await send(await published(), { ORDER: 1 }, { attachments: [{ filename: 'a.txt', content }] });
    expect(await delivered(data?.id)).toContain(content);
  });

  it('is refused with a clear reason', async () => {
    const id = await published();
    const draft = await created();
    const email = { from: testSender, to: 'ada@sink.test' };
    const refused = async (fields: object) => refusal('/emails', { ...email, ...fields });
    expect(await refused({ template: { id: newId() } })).toEqual([404, 'not_found', 'Template not found']);
    expect(await refused({ template: { id: 'nothing' } })).toEqual([404, 'not_found', 'Template not found']);
    expect(await refused({ template: { id: draft } })).toMatchObject([
      422,
      'validation_error',
      expect.stringContaining('no published version'),
    ]);
    expect(await refused({ template: { id } })).toMatchObject([
      422,
      'validation_error',
      expect.stringContaining("Variable 'ORDER'"),
    ]);
    expect(await refused({ template: { id, variables: { ORDER: 'x' } } })).toMatchObject([
      422,
      'validation_error',
      expect.any(String),
    ]);
    expect(await refused({ template: { id, variables: { ORDER: 1, NAME: 'x'.repeat(2_001) } } })).toMatchObject([
      422,
      'validation_error',
      expect.any(String),
    ]);
    expect(await refused({ template: { id, variables: { ORDER: 1 } }, html: 'x' })).toMatchObject([
      422,
      'validation_error',
      expect.any(String),
    ]);
    expect(await refused({ template: { id: '' } })).toMatchObject([422, 'validation_error', expect.any(String)]);
    expect(await refusal('/emails', { to: 'ada@sink.test', template: { id, variables: { ORDER: 1 } } })).toEqual([
      422,
      'missing_required_field',
      'Missing `from` field.',
    ]);
  });

  it('cannot break a header or add one', async () => {
    const variables = [{ key: 'NAME', type: 'string' }];
    const id = await published({ subject: 'Hi {{{NAME}}}', html: '{{{NAME}}}', variables });
    const { data } = await send(id, { NAME: 'Eve\r\nBcc: all@sink.test' });
    const [header] = (await delivered(data?.id)).split('\r\n\r\n');
    expect(header).not.toMatch(/^Bcc:/m);
    expect(header).toContain('Subject: Hi Eve Bcc: all@sink.test');
  });

  it('is accepted in batches, with one read for all of them', async () => {
    const id = await published();
    const entry = (n: number) => ({
      from: testSender,
      to: `${n}@sink.test`,
      template: { id, variables: { ORDER: n } },
    });
    const { data } = await resend.batch.send([1, 2, 3].map(entry));
    expect(data?.data).toHaveLength(3);
    expect((await read(data?.data[2]?.id)).subject).toBe('Order 3');
    const permissive = await resend.batch.send(
      [entry(1), { from: testSender, to: 'x@sink.test', template: { id } }] as never,
      { batchValidation: 'permissive' },
    );
    expect(permissive.data).toMatchObject({
      data: [{}],
      errors: [{ index: 1, message: expect.stringContaining("'ORDER'") }],
    });
  });

  it('shares the stored content with others of its version', async () => {
    const id = await published({ html: `<p>${newId()} {{{ORDER}}}</p>` });
    const ids = await Promise.all([1, 2].map(async (n) => (await send(id, { ORDER: n })).data?.id));
    const rows = await program.postrider.app.get(Database).query<{ content: string }>({
      text: 'SELECT DISTINCT content_id AS content FROM emails WHERE id = ANY ($1)',
      values: [ids],
    });
    expect(rows).toEqual([{ content: expect.any(String) }]);
  });
});

it('a preview renders the draft and lists what is missing; versions are listed', async () => {
  const id = await published();
  await resend.templates.update(id, { html: '{{{NAME}}}!' });
  const preview = async (body: object) =>
    (await program.request(`/templates/${id}/preview`, { method: 'POST', body: JSON.stringify(body) })).json();
  expect(await preview({})).toMatchObject({
    object: 'template_preview',
    id,
    subject: 'Order ',
    html: '!',
    missing_variables: ['NAME', 'ORDER'],
  });
  const { data } = (await (await program.request(`/templates/${id}/versions`)).json()) as { data: ParsedJson[] };
  expect(data).toMatchObject([{ is_published: true }]);
  expect(await preview({ version_id: data[0]?.id, variables: { ORDER: 1 } })).toMatchObject({
    missing_variables: [],
    subject: 'Order 1',
  });
});
