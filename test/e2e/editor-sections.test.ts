import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { BroadcastSteps } from '../support/builders/broadcast-steps.js';
import { documentOf, headingOf, paragraphOf, variableOf } from '../support/builders/editor-documents.js';
import { startProgram, testApiKey, testSender, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';

let program: TestProgram;
let segmentId: string;

beforeAll(async () => {
  program = await startProgram({}, new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport()));
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

const broadcast = async (): Promise<string> => {
  const body = { from: testSender, subject: 'News', segment_id: segmentId };
  return (await call('POST', '/broadcasts', body)).json.id as string;
};
const template = async (fields: object = {}): Promise<string> =>
  (await call('POST', '/templates', { name: 'Welcome', html: '<p>Old</p>', ...fields })).json.id as string;
const write = (type: string, id: string, content: unknown) =>
  call('POST', '/editor/content', { resource_type: type, resource_id: id, content });
const read = (type: string, id: string) => call('GET', `/editor/content?resource_type=${type}&resource_id=${id}`);
const versions = async (type: string, id: string): Promise<ParsedJson[]> =>
  (await call('GET', `/editor/versions?resource_type=${type}&resource_id=${id}`)).json.data as ParsedJson[];

it('html becomes a document, and is refused by its size', async () => {
  const { status, json } = await call('POST', '/editor/import', {
    html: '<h1>Hi</h1><p>Dear {{{NAME|you}}}<svg></svg>',
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    object: 'imported_document',
    content: documentOf(headingOf(1, 'Hi'), paragraphOf('Dear ', variableOf('NAME', 'you'))),
    notes: expect.arrayContaining([expect.stringContaining('svg')]),
  });
  const large = await call('POST', '/editor/import', { html: 'x'.repeat(1_100_000) });
  expect(large).toMatchObject({ status: 422, json: { message: expect.stringContaining('at most 1048576 bytes') } });
  expect((await call('POST', '/editor/import', {})).status).toBe(422);
});

it('MJML becomes a document, and a document becomes MJML', async () => {
  const body = `<mj-text><h1>Hi</h1><p>Dear {{{NAME|you}}}</p></mj-text><mj-include path="/etc/hostname" />`;
  const mjml = `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`;
  const { status, json } = await call('POST', '/editor/import', { mjml });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    object: 'imported_document',
    content: documentOf(headingOf(1, 'Hi'), paragraphOf('Dear ', variableOf('NAME', 'you'))),
    notes: [expect.stringContaining('mj-include')],
  });
  const { content } = json as { content: unknown };
  const exported = await call('POST', '/editor/render', { content, format: 'mjml' });
  expect(exported.json.mjml).toContain('<mj-body');
  const again = await call('POST', '/editor/import', { mjml: exported.json.mjml });
  expect(again.json).toMatchObject({ content, notes: [] });
  expect((await call('POST', '/editor/render', { content })).json).not.toHaveProperty('mjml');
});

it.each([
  [{ mjml: 'x'.repeat(1_100_000) }, 'The `mjml` may have at most 1048576 bytes.'],
  [{ mjml: '<mjml></mjml>' }, 'There is nothing in the `mjml` that an email could show.'],
  [{ mjml: 5 }, 'The `mjml` field must be a string.'],
  [{ mjml: '<mjml></mjml>', html: '<p>Hi</p>' }, 'Give exactly one of `html` and `mjml`.'],
  [{}, 'Missing `html` or `mjml` field.'],
])('an import is refused in words (%#)', async (body, message) => {
  expect(await call('POST', '/editor/import', body)).toMatchObject({ status: 422, json: { message } });
});

it('an unknown format of a rendering is refused', async () => {
  const refused = await call('POST', '/editor/render', { content: documentOf(), format: 'pdf' });
  expect(refused).toMatchObject({ status: 422, json: { message: 'The `format` must be `html` or `mjml`.' } });
});

describe('saved sections', () => {
  const box = (text: string, id?: string): object => ({
    type: 'section',
    attrs: { background: '#ffeeee', ...(id === undefined ? {} : { savedId: id }) },
    content: [paragraphOf(text)],
  });
  const save = async (text: string, key = testApiKey): Promise<string> => {
    const saved = await call('POST', '/editor/sections', { name: 'Box', content: documentOf(box(text)) }, key);
    expect(saved.status).toBe(201);
    return saved.json.id as string;
  };
  const texts = async (type: string, id: string): Promise<string> =>
    JSON.stringify((await read(type, id)).json.content);

  it('change in all drafts at once, and in nothing that was published or sent', async () => {
    const id = await save('Old words');
    const page = await template({ name: 'Published' });
    await write('template', page, documentOf(box('Old words', id)));
    await call('POST', `/templates/${page}/publish`);
    const [draft, sent, other] = [await broadcast(), await broadcast(), await broadcast()];
    for (const each of [draft, sent]) await write('broadcast', each, documentOf(box('Old words', id)));
    await write('broadcast', other, documentOf(box('Mine')));
    await call('POST', `/broadcasts/${sent}/send`);
    await until(async () => (await call('GET', `/broadcasts/${sent}`)).json.status === 'sent');
    const { json: uses } = await call('GET', `/editor/sections/${id}/uses`);
    expect((uses.data as { id: string }[]).map((use) => use.id).sort()).toEqual([page, draft].sort());
    expect((await call('GET', `/editor/sections/${id}/uses?limit=1`)).json).toMatchObject({ has_more: true });

    await call('PATCH', `/editor/sections/${id}`, { content: documentOf(box('New words')) });
    expect(await texts('broadcast', draft)).toContain('Old words');
    const { json: applied } = await call('POST', `/editor/sections/${id}/apply`, {});
    expect((applied.updated as { id: string }[]).map((use) => use.id).sort()).toEqual([page, draft].sort());
    expect(applied).toMatchObject({ object: 'applied_section', skipped: [], next: null });
    for (const [type, each] of [['broadcast', draft] as const, ['template', page] as const]) {
      expect(await texts(type, each)).toContain('New words');
      expect((await versions(type, each)).length).toBeGreaterThan(0);
    }
    expect((await call('GET', `/broadcasts/${draft}`)).json.html).toContain('New words');
    expect(await texts('broadcast', sent)).toContain('Old words');
    expect((await call('GET', `/templates/${page}`)).json).toMatchObject({ has_unpublished_versions: true });
    const { json: again } = await call('POST', `/editor/sections/${id}/apply`, {});
    expect(again.updated).toEqual([]);
  });

  it('are those of one team', async () => {
    const id = await save('Ours');
    const { apiKey: second } = await addSecondTeam(program.postrider.app);
    const theirs = await save('Theirs', second);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine now' }],
      ['DELETE', '', undefined],
      ['GET', '/uses', undefined],
      ['POST', '/apply', {}],
    ] as const) {
      expect((await call(method, `/editor/sections/${id}${path}`, body, second)).status).toBe(404);
    }
    const { json } = await call('GET', '/editor/sections', undefined, second);
    expect((json.data as { id: string }[]).map((section) => section.id)).toEqual([theirs]);
    expect((await call('DELETE', `/editor/sections/${id}`)).json).toMatchObject({ deleted: true });
    expect((await call('GET', `/editor/sections/${id}`)).status).toBe(404);
  });
});
