import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resend } from 'resend';
import { DeliveryOutcome, DeliveryTransport, InMemoryDeliveryTransport } from '#delivery';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { ReleaseScheduled } from '#emails';
import { Clock, newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { startProgram, testSender, TestProgram } from '../support/programs/program.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { eventsOf, lastEventOf } from '../support/builders/email-events.js';

const transport = new InMemoryDeliveryTransport();
const clock = new TestClock();
const dns = new InMemoryDnsResolver();
let program: TestProgram;
let resend: Resend;

beforeAll(async () => {
  const adapters = new Adapters().use(DeliveryTransport, transport).use(Clock, clock).use(DnsResolver, dns);
  program = await startProgram({}, adapters);
  resend = program.resend;
});

afterAll(() => program.stop());

async function send(to: string | string[]): Promise<string> {
  const { data, error } = await resend.emails.send({ from: testSender, to, subject: 'Hi', text: 'Hello' });
  expect(error).toBeNull();
  return data?.id as string;
}

async function add(email: string): Promise<string> {
  const { data, error } = await resend.suppressions.add({ email });
  expect(error).toBeNull();
  return data?.id as string;
}

describe('suppressions', () => {
  it('are added once, whatever the case of the address', async () => {
    const response = await program.request('/suppressions', {
      method: 'POST',
      body: JSON.stringify({ email: 'Jo@Once.test' }),
    });
    const { id } = (await response.json()) as { id: string };
    expect(response.status).toBe(201);
    expect(await add('jo@once.test')).toBe(id);
  });

  it('are found and removed by id or by address', async () => {
    const id = await add('a+b@found.test');
    const expected = { object: 'suppression', id, email: 'a+b@found.test', origin: 'manual', source_id: null };
    expect((await resend.suppressions.get(id)).data).toMatchObject(expected);
    expect((await resend.suppressions.get('A+B@found.test')).data).toMatchObject(expected);
    expect((await resend.suppressions.remove('a+B@found.test')).data).toEqual({
      object: 'suppression',
      id,
      deleted: true,
    });
    expect((await resend.suppressions.remove(id)).error).toEqual({
      statusCode: 404,
      name: 'not_found',
      message: 'Suppression not found',
    });
  });

  it('are listed newest first, in pages, and by origin', async () => {
    const ids = [await add('1@list.test'), await add('2@list.test'), await add('3@list.test')];
    const { data } = await resend.suppressions.list({ limit: 2 });
    expect(data?.data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(data?.has_more).toBe(true);
    const next = await resend.suppressions.list({ limit: 1, after: ids[1] as string });
    expect(next.data?.data[0]?.id).toBe(ids[0]);
    expect((await resend.suppressions.list({ origin: 'complaint' })).data?.data).toEqual([]);
    const { error } = await resend.suppressions.list({ origin: 'mood' as never });
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });

  it('are added and removed in batches', async () => {
    const known = await add('known@batch.test');
    const added = await resend.suppressions.batch.add({
      emails: ['new@batch.test', 'KNOWN@batch.test', 'new@batch.test'],
    });
    const ids = added.data?.data.map(({ id }) => id) ?? [];
    expect(ids).toEqual([expect.any(String), known, ids[0]]);
    const removed = await resend.suppressions.batch.remove({ emails: ['known@batch.test', 'nobody@batch.test'] });
    expect(removed.data?.data).toEqual([{ object: 'suppression', id: known, deleted: true }]);
    const byId = await resend.suppressions.batch.remove({ ids: [ids[0] as string, newId()] });
    expect(byId.data?.data).toEqual([{ object: 'suppression', id: ids[0], deleted: true }]);
  });

  it.each([
    ['', {}, 'missing_required_field'],
    ['', { email: 'nonsense' }, 'validation_error'],
    ['/batch/add', { emails: [] }, 'validation_error'],
    ['/batch/add', { emails: 'fine@x.test' }, 'validation_error'],
    ['/batch/add', { emails: Array.from({ length: 101 }, (_, n) => `${n}@x.test`) }, 'validation_error'],
    ['/batch/add', { emails: ['fine@x.test', 'a b@x.test'] }, 'validation_error'],
    ['/batch/remove', {}, 'missing_required_field'],
    ['/batch/remove', { ids: ['nonsense'] }, 'invalid_parameter'],
  ])('refuse POST %s %p', async (path, body, name) => {
    const response = await program.request(`/suppressions${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([422, name]);
  });

  it('of another team are unknown and have no effect', async () => {
    const id = await add('shared@teams.test');
    const other = await addSecondTeam(program.postrider.app);
    const stranger = new Resend(other.apiKey, { baseUrl: program.url });
    expect((await stranger.suppressions.get(id)).error).toMatchObject({ statusCode: 404 });
    expect((await stranger.suppressions.get('shared@teams.test')).error).toMatchObject({ statusCode: 404 });
  });
});

describe('an email', () => {
  it('to a suppressed address is accepted and not sent', async () => {
    await add('gone@effect.test');
    const id = await send('Gone@Effect.test');
    expect((await resend.emails.get(id)).data?.last_event).toBe('suppressed');
    expect(await eventsOf(program, id)).toEqual([
      {
        type: 'email.suppressed',
        recipient: 'Gone@effect.test',
        data: {
          suppressed: {
            message: expect.any(String),
            type: 'OnAccountSuppressionList',
            reason: 'manual',
            diagnosticCode: [],
          },
        },
      },
    ]);
  });

  it('reaches its other recipients', async () => {
    await add('out@effect.test');
    const id = await send(['in@effect.test', 'out@effect.test']);
    expect(await lastEventOf(program, id, 'delivered')).toBe('delivered');
    const events = await eventsOf(program, id);
    expect(events.map(({ type, recipient }) => `${type} ${recipient}`)).toEqual([
      'email.sent in@effect.test',
      'email.suppressed out@effect.test',
      'email.delivered in@effect.test',
    ]);
    const recipients = transport.delivered.filter(({ emailId }) => emailId === id).flatMap((mail) => mail.recipients);
    expect(recipients).toEqual(['in@effect.test']);
  });

  it('reaches an address again once it is no longer suppressed', async () => {
    await add('back@effect.test');
    await resend.suppressions.remove('back@effect.test');
    expect(await lastEventOf(program, await send('back@effect.test'), 'delivered')).toBe('delivered');
  });

  it('that bounces because its address is bad suppresses the address', async () => {
    transport.outcomeFor('nobody@bounce.test', bounce('5.1.1'));
    const id = await send('nobody@bounce.test');
    await lastEventOf(program, id, 'bounced');
    expect((await resend.suppressions.get('nobody@bounce.test')).data).toMatchObject({
      origin: 'bounce',
      source_id: id,
    });
    const [, bounced] = await eventsOf(program, id);
    expect(bounced?.data).toMatchObject({ bounce: { type: 'Permanent', subType: 'NoEmail' } });
    const second = await send('nobody@bounce.test');
    const [event] = await eventsOf(program, second);
    expect(event?.data).toMatchObject({ suppressed: { reason: 'previous_bounce' } });
  });

  it('that was scheduled is not sent to addresses that have been suppressed since', async () => {
    const scheduledAt = new Date(clock.now().getTime() + 600_000).toISOString();
    const schedule = async (to: string[]): Promise<string> => {
      const { data } = await resend.emails.send({ from: testSender, to, subject: 'Later', text: 'Hello', scheduledAt });
      return data?.id as string;
    };
    const [some, all] = [
      await schedule(['stays@later.test', 'leaves@later.test']),
      await schedule(['leaves@later.test']),
    ];
    await add('leaves@later.test');
    clock.advance(600_000);
    await program.postrider.app.get(ReleaseScheduled).release();
    await lastEventOf(program, some, 'delivered');
    expect((await eventsOf(program, some)).map(({ type, recipient }) => `${type} ${recipient}`)).toEqual([
      'email.scheduled null',
      'email.sent stays@later.test',
      'email.suppressed leaves@later.test',
      'email.delivered stays@later.test',
    ]);
    await lastEventOf(program, all, 'suppressed');
  });

  it('that bounces for another reason suppresses nothing', async () => {
    transport.outcomeFor('full@bounce.test', bounce('5.7.1'));
    await lastEventOf(program, await send('full@bounce.test'), 'bounced');
    expect((await resend.suppressions.get('full@bounce.test')).error).toMatchObject({ statusCode: 404 });
  });
});

describe('the validation of addresses', () => {
  type Validation = { email: string; verdict: string; mail_hosts: string; bounced_at: string | null };
  const validate = async (body: unknown, apiKey?: string): Promise<readonly Validation[]> => {
    const headers = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
    const response = await program.request('/contacts/validate', {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    const list = (await response.json()) as { data: Validation[] };
    expect([response.status, list]).toMatchObject([200, { object: 'list', has_more: false }]);
    return list.data;
  };
  const mailHost = (domain: string, address: string): void => {
    dns.set(domain, { mx: [{ exchange: `mx.${domain}`, preference: 10 }] });
    dns.set(`mx.${domain}`, { a: [address] });
  };

  it('says what speaks against each, in their order', async () => {
    mailHost('good.test', '9.9.9.9');
    mailHost('private.test', '10.0.0.1');
    mailHost('mailinator.com', '9.9.9.10');
    dns.set('implicit.test', { a: ['9.9.9.11'] });
    dns.set('null.test', { mx: [{ exchange: '', preference: 0 }] });
    dns.set('alias-a.test', { cname: 'alias-b.test' });
    dns.set('alias-b.test', { cname: 'alias-a.test' });
    dns.fail('down.test');
    await add('left@good.test');
    const found = await validate({
      emails: [
        ...['Ada@Good.test', ' ada@implicit.test ', 'ada@null.test', 'ada@nowhere.test', 'ada@private.test'],
        ...['ada@alias-a.test', 'ada@down.test', 'info@good.test', 'x@a.mailinator.com', 'LEFT@good.test', 'ada', ''],
      ],
    });
    expect(found.map(({ verdict, mail_hosts }) => `${verdict} ${mail_hosts}`)).toEqual([
      ...['good found', 'good found', 'bad null_mx', 'bad none', 'bad none', 'unknown unknown', 'unknown unknown'],
      ...['risky found', 'bad none', 'bad found', 'bad not_checked', 'bad not_checked'],
    ]);
    expect(found[8]).toMatchObject({ disposable: true });
    expect(found[9]).toMatchObject({ email: 'LEFT@good.test', suppressed: 'manual' });
    expect(await validate({ email: 'ada@gmial.com' })).toMatchObject([
      { object: 'address_validation', valid: true, suggestion: 'ada@gmail.com' },
    ]);
  });

  it('knows what bounced and what is suppressed for its own team alone', async () => {
    mailHost('history.test', '9.9.9.9');
    transport.outcomeFor('Full@history.test', bounce('5.2.2'));
    await lastEventOf(program, await send('Full@history.test'), 'bounced');
    await add('left@history.test');
    const emails = ['full@history.test', 'left@history.test'];
    const own = await validate({ emails });
    expect(own).toMatchObject([
      { verdict: 'risky', bounced_at: expect.any(String), suppressed: null },
      { verdict: 'bad', bounced_at: null, suppressed: 'manual' },
    ]);
    const { apiKey } = await addSecondTeam(program.postrider.app);
    expect(await validate({ emails }, apiKey)).toMatchObject([
      { verdict: 'good', bounced_at: null, suppressed: null },
      { verdict: 'good', bounced_at: null, suppressed: null },
    ]);
  });

  it.each([
    [{}, 'missing_required_field'],
    [[], 'validation_error'],
    [{ email: 7 }, 'validation_error'],
    [{ emails: [] }, 'validation_error'],
    [{ emails: 'ada@good.test' }, 'validation_error'],
    [{ emails: ['ada@good.test', null] }, 'validation_error'],
    [{ email: 'a@good.test', emails: ['b@good.test'] }, 'validation_error'],
    [{ emails: Array.from({ length: 201 }, (_, n) => `${n}@good.test`) }, 'validation_error'],
  ])('refuses %j', async (body, name) => {
    const response = await program.request('/contacts/validate', { method: 'POST', body: JSON.stringify(body) });
    expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([422, name]);
  });

  it('asks the DNS about a bounded number of domains, however many addresses a team sends', async () => {
    const { apiKey } = await addSecondTeam(program.postrider.app);
    const asked = new Set<string>();
    const ask = dns.ask.bind(dns);
    dns.ask = (type, name) => {
      if (type === 'mx' && name.endsWith('.flood.test')) asked.add(name);
      return ask(type, name);
    };
    let refused = 0;
    for (let round = 0; round < 6; round++) {
      const emails = Array.from({ length: 200 }, (_, n) => `ada@d${round}-${n}.flood.test`);
      const found = await validate({ emails }, apiKey);
      refused += found.filter(({ mail_hosts }) => mail_hosts === 'not_checked').length;
    }
    dns.ask = ask;
    expect([asked.size, refused]).toEqual([1_000, 200]);
    expect(await validate({ email: 'ada@unasked.test' })).toMatchObject([{ mail_hosts: 'none' }]);
  });
});

function bounce(enhancedCode: string): DeliveryOutcome {
  return {
    kind: 'bounced',
    reason: `550 ${enhancedCode} No`,
    detail: { replyCode: 550, enhancedCode, replyText: 'No', durationMs: 1 },
  };
}
