import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';

let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram();
  for (const contact of [
    { email: 'leserin@bücher.test', first_name: 'Mary Ann', last_name: 'van Dyke' },
    { email: 'Ada@x.test', first_name: 'ΟΔΟΣ', last_name: 'İnci' },
  ]) {
    expect((await post('/contacts', contact)).status).toBe(201);
  }
});

afterAll(() => program.stop());

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return program.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function found(path: string): Promise<string[]> {
  const { data } = (await (await program.request(path)).json()) as { data: readonly { email: string }[] };
  return data.map(({ email }) => email);
}

it.each([
  ['Mary Ann van', 'leserin@xn--bcher-kva.test'],
  ['mary ann van dyke', 'leserin@xn--bcher-kva.test'],
  ['Mary A', 'leserin@xn--bcher-kva.test'],
  ['leserin@bücher.test', 'leserin@xn--bcher-kva.test'],
  ['ΟΔΟΣ', 'ada@x.test'],
  ['οδοσ', 'ada@x.test'],
  ['ΟΔΟΣ İn', 'ada@x.test'],
  ['ADA@X.TEST', 'ada@x.test'],
])('a search for the contact %s finds %s', async (search, email) => {
  expect(await found(`/contacts?search=${encodeURIComponent(search)}`)).toEqual([email]);
});

it.each([
  ['contact.email', 'ends_with', '@bücher.test', 1],
  ['contact.email', 'eq', 'Leserin@BÜCHER.test', 1],
  ['contact.email', 'contains', '@xn--bcher-kva', 1],
  ['contact.email', 'ends_with', '@büro.test', 0],
  ['contact.first_name', 'eq', 'ΟΔΟΣ', 1],
  ['contact.last_name', 'starts_with', 'İn', 1],
])('a segment of %s %s %s has %i', async (field, operator, value, count) => {
  const filter = { type: 'rule', field, operator, value };
  const preview = (await (await post('/segments/preview', { filter })).json()) as { all_contacts: number };
  expect(preview).toMatchObject({ all_contacts: count });
});

it.each(['Reader@bücher.test', 'reader@xn--bcher-kva.test', 'READER@BÜCHER.TEST', '@bücher.test'])(
  'the emails to %s are found',
  async (recipient) => {
    if (recipient === 'Reader@bücher.test') await post('/emails', anEmail({ to: 'Reader@bücher.test' }));
    const path = `/emails?recipient=${encodeURIComponent(recipient)}`;
    const { data } = (await (await program.request(path)).json()) as { data: readonly object[] };
    expect(data).toHaveLength(1);
  },
);

it('a day that does not exist is refused everywhere', async () => {
  const webhook = await post('/webhooks', { endpoint: 'https://hook.test/x', events: ['email.sent'] });
  const { id } = (await webhook.json()) as { id: string };
  const filter = (value: string): object => ({ type: 'rule', field: 'contact.created_at', operator: 'gt', value });
  const responses = await Promise.all([
    post('/emails', anEmail({ scheduled_at: '2027-02-30T10:00:00Z' })),
    post('/emails', anEmail({ scheduled_at: '30 February 2027 at 10am' })),
    post('/segments/preview', { filter: filter('2026-02-30') }),
    post('/segments/preview', { filter: filter('2026-02-29T10:00:00Z') }),
    post(`/webhooks/${id}/events/replay`, { from: '2026-02-30' }),
    program.request('/emails?created_after=2026-02-30'),
    program.request('/emails/metrics?start_date=2026-02-30'),
  ]);
  for (const response of responses) expect(`${response.url} ${response.status}`).toBe(`${response.url} 422`);
});
