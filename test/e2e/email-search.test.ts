import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { addSecondTeam } from '../support/programs/second-team.js';
import { lastEventOf } from '../support/builders/email-events.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';

interface Found {
  readonly data: { id: string }[];
  readonly has_more: boolean;
  readonly next?: string | null;
  readonly message?: string;
}

let program: TestProgram;
let ids: Record<string, string>;

beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '1000' });
  const send = async (fields: object): Promise<string> => {
    const { data, error } = await program.resend.emails.send({
      from: testSender,
      text: 'x',
      subject: 'Hi',
      ...fields,
    } as never);
    if (error !== null) throw new Error(error.message);
    return data.id;
  };
  ids = {
    receipt: await send({
      to: 'delivered@resend.dev',
      subject: 'Your RECEIPT 100%_of June',
      tags: [{ name: 'plan', value: 'pro' }],
    }),
    bounced: await send({ to: 'bounced@resend.dev' }),
    copied: await send({
      to: 'delivered+1@resend.dev',
      cc: 'Delivered+Boss@resend.dev',
      bcc: ['delivered+boss@resend.dev'],
    }),
    later: await send({ to: 'delivered@resend.dev', scheduledAt: 'in 2 hours' }),
  };
  await lastEventOf(program, ids.receipt ?? '', 'delivered');
  await lastEventOf(program, ids.bounced ?? '', 'bounced');
  await lastEventOf(program, ids.copied ?? '', 'delivered');
});

afterAll(() => program.stop());

async function search(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Found> {
  const response = await program.request(`/emails?${new URLSearchParams(query).toString()}`, { headers });
  return (await response.json()) as Found;
}

const namesOf = ({ data }: Found): (string | undefined)[] =>
  data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));

describe('GET /emails with filters', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ recipient: 'DELIVERED@resend.dev' }, ['later', 'receipt']],
    [{ recipient: 'delivered+boss@resend.dev' }, ['copied']],
    [{ recipient: '+boss' }, ['copied']],
    [{ recipient: 'nobody@resend.dev' }, []],
    [{ subject: 'june receipt' }, ['receipt']],
    [{ subject: '100%_of' }, ['receipt']],
    [{ subject: '%' }, ['receipt']],
    [{ status: 'bounced,scheduled' }, ['later', 'bounced']],
    [{ tag: 'plan' }, ['receipt']],
    [{ tag: 'plan:pro', recipient: 'delivered@resend.dev' }, ['receipt']],
    [{ tag: 'plan:free' }, []],
    [{ q: 'hi', status: 'delivered' }, ['copied']],
    [{ q: '@resend.dev', limit: '2' }, ['later', 'copied']],
    [{ created_after: '2020-01-01' }, ['later', 'copied', 'bounced', 'receipt']],
    [{ created_before: '2020-01-01' }, []],
    [{ domain_id: '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57' }, []],
  ])('%j', async (query, names) => {
    expect(namesOf(await search(query))).toEqual(names);
  });

  it('finds an id that a search box holds, and nothing of another team', async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const id = ids.receipt ?? '';
    expect(namesOf(await search({ q: id }))).toEqual(['receipt']);
    const stranger = { authorization: `Bearer ${apiKey}` };
    for (const query of [
      { q: id } as Record<string, string>,
      { recipient: 'delivered@resend.dev' },
      { subject: 'receipt' },
    ]) {
      expect(await search(query, stranger)).toEqual({ object: 'list', has_more: false, data: [], next: null });
    }
  });

  it('pages forwards and backwards', async () => {
    const first = await search({ q: '@resend.dev', limit: '3' });
    const rest = await search({ q: '@resend.dev', limit: '3', after: first.next ?? '' });
    const back = await search({ q: '@resend.dev', limit: '3', before: ids.receipt ?? '' });
    expect([namesOf(first), first.has_more]).toEqual([['later', 'copied', 'bounced'], true]);
    expect([namesOf(rest), rest.has_more, rest.next]).toEqual([['receipt'], false, null]);
    expect(namesOf(back)).toEqual(['later', 'copied', 'bounced']);
  });

  it('has the envelope of the contract where there is no filter', async () => {
    expect(Object.keys(await search({ limit: '1' }))).toEqual(['object', 'has_more', 'data']);
  });

  it('refuses a filter that cannot be used', async () => {
    const refused = await Promise.all(
      [{ status: 'lost' }, { domain_id: 'x' }, { created_after: 'soon' }, { q: 'x', after: 'y' }].map((query) =>
        search(query as never),
      ),
    );
    expect(refused.map(({ message }) => typeof message)).toEqual(Array(4).fill('string'));
  });

  it('finds addresses by the index', async () => {
    const plan = await program.postrider.app.get(Database).query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN SELECT email_id FROM recipients WHERE hashtextextended(lower(address), 0) = hashtextextended('a@b.test', 0)
             ORDER BY email_id DESC LIMIT 2000`,
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('hashtextextended_email_id_idx');
    expect(text).not.toContain('Seq Scan');
  });
});
