import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { anEmail, RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { until } from '../support/runner/until.js';

let program: RecordingProgram;

beforeAll(async () => {
  program = await startRecordingProgram();
  for (const email of ['ada@one.test', 'bob@one.test', 'eve@two.test']) {
    await program.resend.contacts.create({ email, unsubscribed: email.startsWith('bob') });
  }
});

afterAll(() => program.stop());

async function call(
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<[number, Record<string, unknown>]> {
  const response = await program.request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
  });
  return [response.status, (await response.json()) as Record<string, unknown>];
}

const rule = (field: string, operator: string, value?: unknown): object => ({ type: 'rule', field, operator, value });
const atOne = rule('contact.email', 'ends_with', '@one.test');
const preview = async (filter: object): Promise<Record<string, unknown>> =>
  (await call('POST', '/segments/preview', { filter }))[1];
const emailsOf = (list: unknown): string[] => (list as { email: string }[]).map(({ email }) => email);

describe('a segment with a filter', () => {
  it('is previewed, created, listed and counted, and follows its contacts', async () => {
    const shown = await preview(atOne);
    expect(shown).toMatchObject({ all_contacts: 2, subscribers: 1, unsubscribers: 1 });
    expect(emailsOf(shown.sample)).toEqual(['bob@one.test', 'ada@one.test']);
    const [status, created] = await call('POST', '/segments', { name: 'One', filter: atOne });
    const id = created.id as string;
    expect(status).toBe(201);
    await program.resend.contacts.create({ email: 'new@one.test' });
    expect(emailsOf((await call('GET', `/segments/${id}/contacts?limit=2`))[1].data)).toEqual([
      'new@one.test',
      'bob@one.test',
    ]);
    expect(emailsOf((await call('GET', `/contacts?segment_id=${id}`))[1].data)).toHaveLength(3);
    expect(emailsOf((await call('GET', `/segments/${id}/contacts?search=ad`))[1].data)).toEqual(['ada@one.test']);
    const plain = (await program.resend.segments.create({ name: 'Plain' })).data?.id as string;
    await program.resend.contacts.segments.add({ email: 'eve@two.test', segmentId: plain });
    const query = 'metrics=all_contacts,subscribers&dimensions=segment&sort_by=all_contacts&sort_order=desc';
    expect((await call('GET', `/segments/metrics?${query}`))[1]).toEqual({
      object: 'segments_metrics',
      metrics: ['all_contacts', 'subscribers'],
      dimensions: ['segment'],
      sort_by: 'all_contacts',
      sort_order: 'desc',
      totals: { all_contacts: 4, subscribers: 3 },
      data: [
        { segment_id: id, segment_name: 'One', all_contacts: 3, subscribers: 2 },
        { segment_id: plain, segment_name: 'Plain', all_contacts: 1, subscribers: 1 },
      ],
    });
  });

  it('belongs to its team alone', async () => {
    const [, mine] = await call('POST', '/segments', { name: 'Mine', filter: atOne });
    const id = mine.id as string;
    const topicId = (await program.resend.topics.create({ name: 'T', defaultSubscription: 'opt_in' })).data
      ?.id as string;
    const { apiKey } = await addSecondTeam(program.postrider.app);
    expect((await call('GET', `/segments/${id}/contacts`, undefined, apiKey))[0]).toBe(404);
    expect((await call('GET', `/segments/metrics?segment_id=${id}`, undefined, apiKey))[0]).toBe(404);
    const [status, body] = await call(
      'POST',
      '/segments/preview',
      { filter: rule(`contact.topics.${topicId}`, 'eq', 'opt_in') },
      apiKey,
    );
    expect([status, body.message]).toEqual([422, expect.stringContaining('does not exist')]);
    expect((await call('POST', '/segments/preview', { filter: atOne }, apiKey))[1]).toMatchObject({ all_contacts: 0 });
  });

  it.each([
    [{}, 'missing_required_field'],
    [{ filter: 'x' }, 'validation_error'],
    [{ filter: { type: 'and', rules: [] } }, 'validation_error'],
    [{ filter: rule(`contact.segments.${newId()}`, 'exists') }, 'validation_error'],
    [{ filter: rule("contact.properties.x') OR true --", 'exists') }, 'validation_error'],
    [{ filter: { ...rule('contact.email', 'exists'), more: 'x'.repeat(20_000) } }, 'validation_error'],
  ])('is refused as %j', async (body, name) => {
    expect(await call('POST', '/segments/preview', body)).toMatchObject([422, { name }]);
  });
});

it('a contact that was sent an email is found by that, and one that was not by its negation', async () => {
  await program.resend.emails.send(anEmail({ to: ['ADA@one.test', 'nobody@one.test'] }));
  const sent = rule('contact.sent', 'within_days', 1);
  await until(async () => (await preview(sent)).all_contacts === 1);
  expect(emailsOf((await preview(sent)).sample)).toEqual(['ada@one.test']);
  const others = {
    type: 'and',
    rules: [atOne, rule('contact.sent', 'not_within_days', 1), rule('contact.opened', 'is_empty')],
  };
  expect((await preview(others)).all_contacts).toBe(2);
  // A second email within the hour is not written again.
  const database = program.postrider.app.get(Database);
  const versions = (): Promise<unknown[]> => database.query({ text: 'SELECT xmin::text FROM contact_activity' });
  const before = await versions();
  await program.resend.emails.send(anEmail({ to: 'ada@one.test' }));
  await until(async () => {
    const [row] = await database.query<{ done: boolean }>({
      text: `SELECT c.position >= max(e.position) AND count(*) = 3 AS done FROM event_consumers c, email_events e
             WHERE c.name = 'contact-activity' AND e.type = 'email.sent' GROUP BY c.position`,
    });
    return row?.done === true;
  });
  expect(await versions()).toEqual(before);
});
