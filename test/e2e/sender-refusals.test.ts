import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DnsResolver, InMemoryDnsResolver } from '#domains';
import { Adapters } from '#platform/adapters';
import { Database } from '#postgres/database';
import { addMember, firstTeam } from '../support/builders/users.js';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';
import { until } from '../support/runner/until.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

/** Refusals of the sender that sound like refusals of the recipient, by the local part of the recipient. */
const replies: Readonly<Record<string, string>> = {
  postfix: '550 5.1.8 <bounces@acme.test>: Sender address rejected: Domain not found',
  exim: '550-Verification failed for <bounces@acme.test>\r\n550-No Such User Here\r\n550 Sender verify failed',
  words: '550 Sender verify failed: no such user',
  digits: '550 5.1.7 The sender address does not exist',
  path: '550 5.1.1 The return path does not exist',
};
const noSuchUser = '550 5.1.1 No such user';
const addresses = Object.keys(replies).map((name) => `${name}@strict.test`);
let sink: SmtpSink;
let program: TestProgram;
let database: Database;
let domainId: string;
let admin: string;
const ids: string[] = [];

const query = (text: string): Promise<ParsedJson[]> => database.query<ParsedJson>({ text });
const request = async (path: string): Promise<ParsedJson> => (await program.request(path)).json();

beforeAll(async () => {
  const dns = new InMemoryDnsResolver();
  const replyToRecipient = (address: string): string | undefined => replies[address.replace(/@.*/s, '')] ?? noSuchUser;
  sink = await SmtpSink.listen({ host: '127.0.0.2', replyToRecipient });
  dns.set('strict.test', { mx: [{ exchange: 'mx.strict.test', preference: 10 }] });
  dns.set('mx.strict.test', { a: ['127.0.0.2'] });
  program = await startProgram(
    {
      DELIVERY_TRANSPORT: 'mx',
      MX_PORT: String(sink.port),
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      HELO_NAME: 'client.test',
    },
    new Adapters().use(DnsResolver, dns),
  );
  database = program.postrider.app.get(Database);
  domainId = (await program.resend.domains.list()).data?.data[0]?.id ?? '';
  admin = (await addMember(program, await firstTeam(program), 'admin')).email;
  for (const email of [...addresses, 'gone@strict.test']) await program.resend.contacts.create({ email });
  for (const to of [...addresses, 'gone@strict.test']) {
    const { data } = await program.resend.emails.send({ from: testSender, to, subject: 'Hello', text: 'Hi' });
    if (to !== 'gone@strict.test') ids.push(data?.id ?? '');
  }
  await until(async () => (await request(`/domains/${domainId}/insights`)).totals.bounced === addresses.length + 1);
});

afterAll(async () => {
  await program.stop();
  await sink.close();
});

it('a host that refuses the sender gets no recipient suppressed and no contact marked', async () => {
  for (const id of ids) {
    const trace = await request(`/emails/${id}/trace`);
    expect(trace.recipients[0]).toMatchObject({ status: 'bounced', attempts: [{ category: 'bad-sender' }] });
    const bounced = trace.recipients[0].events.find(({ type }: ParsedJson) => type === 'email.bounced');
    expect(bounced.data.bounce).toMatchObject({ type: 'Transient', subType: 'General' });
  }
  const gone = [{ email: 'gone@strict.test' }];
  expect(await query('SELECT email FROM suppressions')).toEqual(gone);
  // Its email was the last one, so the others were looked at before.
  const marked = (): Promise<ParsedJson[]> => query('SELECT email FROM contacts WHERE bounced_at IS NOT NULL');
  await until(async () => (await marked()).length > 0);
  expect(await marked()).toEqual(gone);
});

it('the insights of the domain say so, and neither its rates nor the guard count it', async () => {
  const { totals, providers } = await request(`/domains/${domainId}/insights`);
  expect(totals.rates.find(({ id }: ParsedJson) => id === 'bad_address_rate').count).toBe(1);
  expect(providers[0].refusals[0]).toMatchObject({
    outcome: 'bounced',
    category: 'bad-sender',
    count: addresses.length,
    meaning: expect.stringContaining('return path'),
  });
  expect(
    await query('SELECT sum(bounced)::int AS bounced, sum(bad_addresses)::int AS bad FROM provider_hours'),
  ).toEqual([{ bounced: 1, bad: 1 }]);
});

it('those who answer for the team get one notice, with a reply', async () => {
  const notices = await query(`SELECT recipient, subject, text FROM notices WHERE key LIKE 'refused-sender %'`);
  expect(notices).toEqual([
    {
      recipient: admin,
      subject: 'Mail hosts refuse the sender of sandbox.postrider.test',
      text: expect.stringContaining('One of them said: 550 '),
    },
  ]);
});
