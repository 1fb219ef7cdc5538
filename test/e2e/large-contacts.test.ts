import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { imported, ShownImport } from '../support/builders/contact-import-steps.js';
import { UnsubscribeProgram } from '../support/programs/unsubscribe-program.js';

/** Properties of 2,000 characters. 33 of them are more than a contact may have together. */
const keys = Array.from({ length: 40 }, (_, no) => `p${no}`);
const long = 'x'.repeat(2_000);

let running: UnsubscribeProgram;
let address: string;

beforeAll(async () => {
  running = await UnsubscribeProgram.start();
  for (const key of keys) await running.program.resend.contactProperties.create({ key, type: 'string' } as never);
});
afterAll(() => running.program.stop());
beforeEach(() => {
  address = `ada-${newId().slice(-12)}@sink.test`;
});

const contact = async (path = ''): Promise<Record<string, unknown>> =>
  (await (await running.program.request(`/contacts/${address}${path}`)).json()) as Record<string, unknown>;
const lengthOf = async (): Promise<number> => JSON.stringify((await contact()).properties ?? {}).length;
const file = (...rows: (readonly number[])[]): string =>
  [
    ['email', ...keys].join(','),
    ...rows.map((filled) => [address, ...keys.map((_, no) => (filled.includes(no) ? long : ''))].join(',')),
  ].join('\n');
const columns = { column_map: { properties: Object.fromEntries(keys.map((key) => [key, { column: key }])) } };
const importFile = (text: string, fields: object = columns): Promise<ShownImport> =>
  imported(running.program, text, { ...fields });
const refusedRows = async ({ id }: ShownImport): Promise<string> =>
  (await running.program.request(`/contacts/imports/${id}/refused-rows`)).text();
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, no) => first + no);

it('a row with more properties than a contact may have is refused', async () => {
  const result = await importFile(file(range(0, 39)));
  expect(result.counts).toMatchObject({ total: 1, created: 0, failed: 1 });
  expect(await refusedRows(result)).toContain('65536 characters');
  expect((await contact()).statusCode).toBe(404);
});

it('a row that would give a known contact more is refused, and the contact stays as it is', async () => {
  expect((await importFile(file(range(0, 19)))).counts).toMatchObject({ created: 1, failed: 0 });
  const result = await importFile(file(range(20, 39)));
  expect(result.counts).toMatchObject({ total: 1, created: 0, updated: 0, failed: 1 });
  expect(await refusedRows(result)).toContain(`2,"","${address}"`);
  expect(await lengthOf()).toBeLessThan(50_000);
  // Other values in their place are no more.
  expect((await importFile(file(range(0, 19)))).counts).toMatchObject({ updated: 1, failed: 0 });
});

it('rows of one file count together', async () => {
  const result = await importFile(file(range(0, 19), range(20, 39), range(5, 9)));
  expect(result.counts).toMatchObject({ total: 3, created: 1, updated: 1, failed: 1 });
  expect(await refusedRows(result)).toContain(`3,"","${address}"`);
  expect(await lengthOf()).toBeLessThan(50_000);
});

it('a contact that already has more can unsubscribe in every way, and lose values', async () => {
  await running.program.resend.contacts.create({ email: address });
  await running.program.postrider.app.get(Database).execute({
    text: 'UPDATE contacts SET properties = $2 WHERE email = $1',
    values: [address, JSON.stringify(Object.fromEntries(keys.map((key) => [key, long])))],
  });
  const change = async (body: object): Promise<number> =>
    (await running.program.request(`/contacts/${address}`, { method: 'PATCH', body: JSON.stringify(body) })).status;
  const html = '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">no more</a>';
  const { data } = await running.program.resend.topics.create({ name: 'N', defaultSubscription: 'opt_in' });
  const { path } = await running.received(await running.send({ to: address, html, topicId: data?.id }), address);
  const press = async (form: object): Promise<number> =>
    (await running.program.request(path, { method: 'POST', body: new URLSearchParams({ ...form }) })).status;
  expect(await press({ 'List-Unsubscribe': 'One-Click' })).toBe(200);
  expect((await contact(`/topics`)).data).toMatchObject([{ subscription: 'opt_out' }]);
  expect(await change({ unsubscribed: true })).toBe(200);
  expect(await change({ unsubscribed: false })).toBe(200);
  const upsert = JSON.stringify({ email: address, unsubscribed: true });
  expect((await running.program.request('/contacts', { method: 'POST', body: upsert })).status).toBe(201);
  expect(await contact()).toMatchObject({ unsubscribed: true });
  expect(await change({ properties: { p0: null } })).toBe(200);
  expect(await change({ properties: { p0: long } })).toBe(422);
  expect((await importFile(`email,unsubscribed\n${address},yes\n`, {})).counts).toMatchObject({ failed: 0, total: 1 });
});
