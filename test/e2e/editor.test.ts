import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { Resend } from 'resend';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { documentOf, everyBlock, headingOf, paragraphOf, variableOf } from '../support/builders/editor-documents.js';
import { McpClient } from '../support/clients/mcp-client.js';
import { startProgram, testApiKey, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let transport: InMemoryDeliveryTransport;
let segmentId: string;

beforeAll(async () => {
  transport = new InMemoryDeliveryTransport();
  program = await startProgram({}, new Adapters().use(DeliveryTransport, transport));
  const database = program.postrider.app.get(Database);
  const [team] = await database.query<{ id: string }>({ text: 'SELECT id FROM teams' });
  const steps = new BroadcastSteps(database, team?.id ?? '');
  segmentId = await steps.segment();
  await steps.contacts(segmentId, 2);
});

afterAll(() => program.stop());

async function call(
  method: string,
  path: string,
  body?: unknown,
  apiKey = testApiKey,
): Promise<{ status: number; json: ParsedJson }> {
  const response = await fetch(`${program.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

const broadcast = async (fields: object = {}): Promise<string> => {
  const body = { from: testSender, subject: 'News', segment_id: segmentId, ...fields };
  return (await call('POST', '/broadcasts', body)).json.id as string;
};
const template = async (fields: object = {}): Promise<string> =>
  (await call('POST', '/templates', { name: 'Welcome', html: '<p>Old</p>', ...fields })).json.id as string;
const write = (type: string, id: string, content: unknown, more: object = {}) =>
  call('POST', '/editor/content', { resource_type: type, resource_id: id, content, ...more });
const read = (type: string, id: string) => call('GET', `/editor/content?resource_type=${type}&resource_id=${id}`);
const versions = async (type: string, id: string): Promise<ParsedJson[]> =>
  (await call('GET', `/editor/versions?resource_type=${type}&resource_id=${id}`)).json.data as ParsedJson[];

describe('the document of a broadcast', () => {
  it('is stored with its html and text, and sent exactly so', async () => {
    const id = await broadcast();
    expect((await read('broadcast', id)).json).toMatchObject({ content: { type: 'doc', content: [] }, revision: 0 });
    const empty = await call('POST', `/broadcasts/${id}/send`);
    expect(empty).toMatchObject({ status: 422, json: { message: 'Missing `html` or `text` field.' } });
    const content = documentOf(headingOf(1, 'Hi'), paragraphOf('Dear ', variableOf('contact.first_name', 'reader')));
    const written = await write('broadcast', id, content, { base_revision: 0 });
    expect(written).toMatchObject({ status: 200, json: { object: 'broadcast', id, revision: 1, notes: [] } });
    expect((await read('broadcast', id)).json).toMatchObject({ content, content_source: 'editor', editable: true });
    const { json: stored } = await call('GET', `/broadcasts/${id}`);
    expect(stored.html).toContain('Dear {{{contact.first_name|reader}}}');
    expect(stored.text).toContain('Hi\n==');
    expect((await call('POST', `/broadcasts/${id}/send`)).status).toBe(200);
    await until(async () => (await call('GET', `/broadcasts/${id}`)).json.status === 'sent');
    const { json: emails } = await call('GET', '/emails?limit=5');
    const { json: email } = await call('GET', `/emails/${(emails.data as { id: string }[])[0]?.id}`);
    const [before, after] = (stored.html as string).split('{{{contact.first_name|reader}}}') as [string, string];
    expect(email.html.startsWith(before)).toBe(true);
    expect(email.html.endsWith(after)).toBe(true);
    const late = await write('broadcast', id, content);
    expect(late).toMatchObject({ status: 403, json: { message: expect.stringContaining('Only draft and scheduled') } });
    expect((await read('broadcast', id)).json.editable).toBe(false);
  });

  it('shows parts of it to those for whom they are', async () => {
    const rule = { type: 'rule', field: 'contact.email', operator: 'starts_with', value: 'user0' };
    const id = await broadcast();
    await write(
      'broadcast',
      id,
      documentOf({ type: 'conditional', attrs: { rule }, content: [paragraphOf('Only one')] }),
    );
    const shown = async (email: string): Promise<string> =>
      (await call('POST', `/broadcasts/${id}/preview`, { email })).json.html as string;
    expect(await shown('user0@sink.test')).toContain('Only one');
    expect(await shown('user1@sink.test')).not.toContain('Only one');
  });

  it('stays beside html that is written over it, and the other way round', async () => {
    const id = await broadcast({ html: '<p>By hand</p>' });
    await write('broadcast', id, documentOf(paragraphOf('Composed')));
    expect((await versions('broadcast', id)).map(({ content_source: source }) => source)).toEqual(['editor', 'html']);
    expect((await call('PATCH', `/broadcasts/${id}`, { html: '<p>Again</p>' })).status).toBe(200);
    const { json } = await read('broadcast', id);
    expect(json).toMatchObject({ content_source: 'html', content: documentOf(paragraphOf('Composed')), revision: 2 });
    expect((await call('GET', `/broadcasts/${id}`)).json.content_source).toBe('html');
    const stale = await write('broadcast', id, documentOf(), { base_revision: 1 });
    expect(stale).toMatchObject({ status: 409, json: { name: 'resource_locked' } });
    const copy = (await call('POST', `/broadcasts/${id}/duplicate`)).json.id as string;
    expect((await read('broadcast', copy)).json.content).toEqual(documentOf(paragraphOf('Composed')));
  });
});

describe('the document of a template', () => {
  it('defines its variables, and is sent with values', async () => {
    const id = await template({ alias: 'receipt' });
    const content = documentOf(paragraphOf('For ', variableOf('NAME', 'you')), {
      type: 'repeat',
      attrs: { list: 'ITEMS' },
      content: [paragraphOf(variableOf('this.name'))],
    });
    expect((await write('template', 'receipt', content)).json).toMatchObject({ object: 'template', id });
    const { json } = await call('GET', `/templates/${id}`);
    expect(json.variables).toMatchObject([{ key: 'NAME' }, { key: 'ITEMS', type: 'list', fallback_value: [] }]);
    await call('POST', `/templates/${id}/publish`);
    const variables = { NAME: 'Ada', ITEMS: [{ name: 'Tea' }, { name: 'Cup' }] };
    const sent = await call('POST', '/emails', {
      from: testSender,
      to: 'a@sink.test',
      subject: 'S',
      template: { id, variables },
    });
    const { json: email } = await call('GET', `/emails/${sent.json.id}`);
    for (const part of ['For Ada', 'Tea', 'Cup']) expect(email.html).toContain(part);
    expect(email.text).toContain('Tea\n\nCup');
  });

  it('with every block is the same after it was read and written again', async () => {
    const id = await template();
    await write('template', id, everyBlock());
    const first = (await read('template', id)).json.content as unknown;
    const html = (await call('GET', `/templates/${id}`)).json.html as string;
    await write('template', id, first);
    expect((await read('template', id)).json.content).toEqual(first);
    expect((await call('GET', `/templates/${id}`)).json.html).toBe(html);
  });
});

describe('versions', () => {
  it('are made while somebody writes, named, and restored', async () => {
    const id = await template();
    for (const text of ['One', 'Two', 'Three']) await write('template', id, documentOf(paragraphOf(text)));
    const [latest, first] = await versions('template', id);
    expect(first).toMatchObject({ content_source: 'html', name: null, author_kind: 'api_key' });
    const { json } = await call('GET', `/editor/versions/${latest?.id}`);
    expect(json).toMatchObject({ content: documentOf(paragraphOf('Three')), html: null, resource_id: id });
    const kept = {
      resource_type: 'template',
      resource_id: id,
      name: 'Mine',
      content: documentOf(paragraphOf('Aside')),
    };
    const named = (await call('POST', '/editor/versions', kept)).json.id as string;
    expect((await call('PATCH', `/editor/versions/${named}`, { name: 'Renamed' })).status).toBe(200);
    expect((await versions('template', id))[0]).toMatchObject({ id: named, name: 'Renamed' });
    expect((await call('POST', `/editor/versions/${named}/restore`)).json).toMatchObject({ object: 'template', id });
    expect((await read('template', id)).json.content).toEqual(documentOf(paragraphOf('Aside')));
    await call('POST', `/editor/versions/${first?.id}/restore`);
    const restored = { html: '<p>Old</p>', text: null, content_source: 'html' };
    expect((await call('GET', `/templates/${id}`)).json).toMatchObject(restored);
  });

  it('keep what is replaced by an older document as it was', async () => {
    const id = await template();
    await write('template', id, documentOf(paragraphOf('One')));
    const kept = { resource_type: 'template', resource_id: id, name: 'Mine' };
    const named = (await call('POST', '/editor/versions', kept)).json.id as string;
    for (const text of ['Work', 'More work']) await write('template', id, documentOf(paragraphOf(text)));
    await call('POST', `/editor/versions/${named}/restore`);
    for (const text of ['After', 'Later']) await write('template', id, documentOf(paragraphOf(text)));
    const all = (await versions('template', id)).map(async (one) => {
      const { json } = await call('GET', `/editor/versions/${one.id}`);
      return json.content as unknown;
    });
    const [latest, before] = await Promise.all(all);
    expect([latest, before]).toEqual(['Later', 'More work'].map((text) => documentOf(paragraphOf(text))));
    expect(all).toHaveLength(5);
  });

  it('are at most a hundred with a name, and sixty without', async () => {
    const id = await template();
    await write('template', id, documentOf(paragraphOf('One')));
    const [one] = await versions('template', id);
    await program.postrider.app.get(Database).execute({
      text: `INSERT INTO editor_versions (id, team_id, resource_type, resource_id, name, kind, document, created_at, updated_at)
             SELECT gen_random_uuid(), team_id, resource_type, resource_id, CASE WHEN no > 70 THEN 'x' END, kind, document, now(), now()
             FROM editor_versions, generate_series(1, 169) no WHERE id = $1`,
      values: [one?.id],
    });
    const rename = (name: string) => call('PATCH', `/editor/versions/${one?.id}`, { name });
    for (const name of ['The hundredth', 'Again', '']) expect((await rename(name)).status).toBe(200);
    const kept = { resource_type: 'template', resource_id: id, name: 'Mine' };
    expect((await call('POST', '/editor/versions', kept)).status).toBe(201);
    const { data } = (await call('GET', `/editor/versions?resource_type=template&resource_id=${id}&limit=100`)).json;
    expect(data).toHaveLength(100);
    const [{ count }] = (await program.postrider.app.get(Database).query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM editor_versions WHERE resource_id = $1 AND name IS NULL',
      values: [id],
    })) as [{ count: number }];
    expect(count).toBe(60);
    const unnamed = (data as ParsedJson[]).find(({ name }) => name === null);
    const refused = await call('PATCH', `/editor/versions/${unnamed?.id}`, { name: 'One more' });
    expect(refused).toMatchObject({ status: 422, json: { message: 'There may be at most 100 versions with a name.' } });
  });
});

describe('who has a content open', () => {
  const connect = (id: string, fields: object) =>
    call('POST', '/editor/connections', { resource_type: 'template', resource_id: id, ...fields });

  it('sees everybody with their carets, and tells who is behind', async () => {
    const id = await template();
    const [ada, bob] = [randomUUID(), randomUUID()];
    const cursor = { anchor: 1, head: 4 };
    const first = (await connect(id, { client_id: ada, agent_name: 'Ada', cursor })).json;
    expect(first).toMatchObject({ is_writing: true, revision: 0 });
    await write('template', id, documentOf(paragraphOf('News')));
    expect((await connect(id, { client_id: bob, agent_name: 'Bob' })).json).toMatchObject({
      is_writing: true,
      revision: 1,
      present: [
        { name: 'Ada', client_id: ada, is_self: false, cursor },
        { name: 'Bob', client_id: bob, is_self: true, cursor: null },
      ],
    });
    const agent = (await connect(id, { agent_name: 'Writer' })).json;
    expect(agent).toMatchObject({ apiKeyId: expect.any(String), room_id: `template:${id}`, is_writing: false });
    expect(agent.present).toHaveLength(3);
    const leave = { resource_type: 'template', resource_id: id, client_id: bob };
    expect((await call('DELETE', '/editor/connections', leave)).json).toEqual({ ok: true });
    const many = await Promise.all(Array.from({ length: 40 }, () => connect(id, { client_id: randomUUID() })));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await connect(id, { client_id: ada })).json.present).toHaveLength(20);
    for (const bad of [{ anchor: 1 }, { anchor: -1, head: 0 }, { anchor: 1, head: 1.5 }, 'here', 5]) {
      expect(await connect(id, { client_id: ada, cursor: bad })).toMatchObject({
        status: 422,
        json: { name: 'validation_error' },
      });
    }
  });

  it('has one version of each who writes at the same time', async () => {
    const id = await template();
    await write('template', id, documentOf(paragraphOf('One')));
    const { json: other } = await call('POST', '/api-keys', { name: 'Second' });
    for (const words of ['Two', 'Three', 'Four']) {
      await write('template', id, documentOf(paragraphOf(words)));
      const content = documentOf(paragraphOf(words, ' again'));
      const body = { resource_type: 'template', resource_id: id, content };
      await call('POST', '/editor/content', body, other.token as string);
    }
    expect((await versions('template', id)).map(({ content_source: source }) => source)).toEqual([
      'editor',
      'editor',
      'html',
    ]);
  });
});

it('styles change what is rendered, and are refused by name', async () => {
  const styles = { button: '#0b6b4f', company: 'Harbour', address: '1 Quay', dark: { content: '#101010' } };
  const { json } = await call('PUT', '/editor/styles', { styles });
  expect(json).toMatchObject({ styles, complete: { buttonText: '#ffffff', dark: { content: '#101010' } } });
  const content = documentOf(
    { type: 'logo' },
    { type: 'button', content: [{ type: 'text', text: 'Go' }] },
    { type: 'footer' },
  );
  const { json: rendered } = await call('POST', '/editor/render', { content, resource_type: 'broadcast' });
  for (const part of ['#0b6b4f', 'Harbour', '1 Quay', 'UNSUBSCRIBE']) expect(rendered.html).toContain(part);
  const tried = await call('POST', '/editor/render', { content, styles: { button: '#ff0000' } });
  expect(tried.json.html).toContain('#ff0000');
  const refused = await call('PUT', '/editor/styles', { styles: { link: 'blurple' } });
  expect(refused).toMatchObject({
    status: 422,
    json: { message: 'In the styles, the `link` must be a color such as #1a2b3c.' },
  });
  await call('PUT', '/editor/styles', { styles: {} });
});

it('bad documents and references are refused, and change nothing', async () => {
  const id = await template();
  const refused = async (type: string, of: string, content: unknown): Promise<[number, string]> => {
    const { status, json } = await write(type, of, content);
    return [status, json.message as string];
  };
  expect(await refused('template', id, documentOf({ type: 'marquee' }))).toEqual([
    422,
    'The node `marquee` is not known.',
  ]);
  expect(await refused('template', id, undefined)).toEqual([422, 'Missing `content` field.']);
  expect(await refused('email', id, documentOf())).toEqual([
    422,
    'The `resource_type` must be `broadcast` or `template`.',
  ]);
  expect(await refused('broadcast', id, documentOf())).toEqual([404, 'Broadcast not found']);
  expect(await refused('template', 'nothing', documentOf())).toEqual([404, 'Template not found']);
  expect((await read('template', id)).json).toMatchObject({ revision: 0, content_source: 'html' });
  expect((await call('GET', '/editor/content?resource_type=template')).json.message).toBe(
    'Missing `resource_id` field.',
  );
});

it('another team sees and changes nothing', async () => {
  const [mine, stranger] = [await template(), (await addSecondTeam(program.postrider.app)).apiKey];
  await write('template', mine, documentOf(paragraphOf('x')));
  const [version] = await versions('template', mine);
  const ref = { resource_type: 'template', resource_id: mine };
  for (const [method, path, body] of [
    ['GET', `/editor/content?resource_type=template&resource_id=${mine}`, undefined],
    ['POST', '/editor/content', { ...ref, content: documentOf() }],
    ['POST', '/editor/connections', ref],
    ['DELETE', '/editor/connections', ref],
    ['GET', `/editor/versions?resource_type=template&resource_id=${mine}`, undefined],
    ['POST', '/editor/versions', { ...ref, name: 'x' }],
    ['GET', `/editor/versions/${version?.id}`, undefined],
    ['PATCH', `/editor/versions/${version?.id}`, { name: 'x' }],
    ['POST', `/editor/versions/${version?.id}/restore`, undefined],
  ] as const) {
    expect([path, (await call(method, path, body, stranger)).status]).toEqual([path, 404]);
  }
});

it('the public server for assistants connects, reads, composes and disconnects', async () => {
  const mcp = await McpClient.start(program.url, testApiKey);
  try {
    const made = await mcp.call('create-broadcast', {
      name: 'By an assistant',
      segmentId,
      from: testSender,
      subject: 'S',
      text: 'To be composed',
    });
    const id = /ID: (\S+)/.exec(made)?.[1] as string;
    const link = `${program.url}/broadcasts/${id}`;
    const known = await mcp.call('get-tiptap-json-content', { resource_type: 'broadcast', resource_id: link });
    expect(known).toContain('"type": "doc"');
    expect(known).toContain('TipTap Schema Reference (version: 1.0.0)');
    expect(known).not.toContain('Warning');
    const seen = await call('POST', '/editor/connections', {
      resource_type: 'broadcast',
      resource_id: id,
      client_id: randomUUID(),
    });
    expect(seen.json.present).toMatchObject([{ kind: 'agent', name: 'test' }, { is_writing: true }]);
    await mcp.call('compose-broadcast', {
      broadcastId: id,
      content: documentOf(headingOf(1, 'Composed')),
      subject: 'Composed',
    });
    expect((await call('GET', `/broadcasts/${id}`)).json).toMatchObject({
      subject: 'Composed',
      content_source: 'editor',
    });
    const left = await call('POST', '/editor/connections', {
      resource_type: 'broadcast',
      resource_id: id,
      client_id: randomUUID(),
    });
    expect(left.json.present.some(({ kind }: { kind: string }) => kind === 'agent')).toBe(false);
    await expect(
      mcp.call('compose-broadcast', { broadcastId: id, content: documentOf({ type: 'marquee' }) }),
    ).rejects.toThrow('The node `marquee` is not known.');
    const template = /ID: (\S+)/.exec(
      await mcp.call('create-template', { name: 'T', html: '<p>x</p>' }),
    )?.[1] as string;
    await mcp.call('connect-to-editor', { resource_type: 'template', resource_id: template, agent_name: 'Scribe' });
    await mcp.call('compose-template', { id: template, content: documentOf(paragraphOf('{{{NAME|you}}}')) });
    expect((await read('template', template)).json.content).toEqual(documentOf(paragraphOf(variableOf('NAME', 'you'))));
    await expect(mcp.call('disconnect-from-editor')).resolves.toContain('No active');
  } finally {
    mcp.stop();
  }
});

it('a browser that opens the path of a broadcast or a template is led to its page', async () => {
  const id = await template();
  const opened = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const request = get(`${program.url}/templates/${id}?x=1`, { headers }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.location]);
    });
    request.on('error', reject);
  });
  expect(opened).toEqual([302, `/app/templates/${id}`]);
  expect((await fetch(`${program.url}/templates/${id}`, { headers: { accept: 'application/json' } })).status).toBe(401);
  const { data } = await new Resend(testApiKey, { baseUrl: program.url }).templates.get(id);
  expect(data?.id).toBe(id);
  expect((await fetch(`${program.url}/api/agent/prompt`)).status).toBe(200);
});
