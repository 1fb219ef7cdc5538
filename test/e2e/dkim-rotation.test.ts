import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { SystemDnsResolver } from '#domains';
import { DomainsProgram, startDomainsProgram } from '../support/programs/domains-program.js';
import { openDkim } from '../support/servers/opendkim.js';
import { allRecords, publishRecords, ReturnedRecord } from '../support/builders/published-records.js';
import { until } from '../support/runner/until.js';

interface Key {
  readonly selector: string;
  readonly algorithm: string;
  readonly state: string;
  readonly host: string;
  readonly value: string;
  readonly delegated_host: string | null;
}

const day = 86_400_000;
let program: DomainsProgram;

beforeAll(async () => {
  if (openDkim === undefined) console.log('opendkim is not installed: only mailauth verifies in these tests');
  program = await startDomainsProgram({ DKIM_ROTATION_DAYS: '90' });
});

afterAll(() => program.stop());

async function send(domain: string): Promise<Uint8Array> {
  const { data, error } = await program.resend.emails.send({
    from: `Acme <a@${domain}>`,
    to: 'someone@example.test',
    subject: 'Rotation',
    html: '<p>Hello  there</p>',
  });
  expect(error).toBeNull();
  return until(() => program.transport.delivered.find(({ emailId }) => emailId === data?.id)?.content);
}

const selectorsIn = (message: Uint8Array): string[] =>
  [
    ...Buffer.from(message)
      .toString('latin1')
      .matchAll(/[;\s]s=([a-z0-9-]+);/g),
  ].map(([, selector]) => selector as string);

/** Verifies the message with the current DNS records, by two independent verifiers. */
async function expectVerified(message: Uint8Array): Promise<void> {
  const dns = new SystemDnsResolver({ servers: [program.dns.address], timeoutMs: 2_000, tries: 1 });
  const seen: Record<string, string> = {};
  const resolver = async (name: string): Promise<string[][]> => {
    const records = await dns.txt(name);
    if (records[0] !== undefined) seen[name] = records[0];
    return records.map((record) => [record]);
  };
  const { results } = await dkimVerify(Buffer.from(message), { resolver });
  const all = (verdict: string): string[] => selectorsIn(message).map(() => verdict);
  expect(results.map(({ status }) => status.result)).toEqual(all('pass'));
  if (openDkim === undefined) return;
  expect(await openDkim.verify(message, seen)).toEqual(all('pass'));
  const tampered = Buffer.from(Buffer.from(message).toString('latin1').replace('Hello', 'Howdy'), 'latin1');
  expect(await openDkim.verify(tampered, seen)).toEqual(all('fail'));
}

const keysOf = async (id: string): Promise<Key[]> =>
  (await program.call('GET', `/domains/${id}/dkim`)).body.data as Key[];

const statesOf = async (id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await keysOf(id)).map(({ selector, state }) => [selector, state]));

async function recordsOf(id: string): Promise<ReturnedRecord[]> {
  return (await program.call('GET', `/domains/${id}`)).body.records as ReturnedRecord[];
}

const becomesSigner = (id: string, selector: string): Promise<unknown> =>
  until(async () => (await statesOf(id))[selector] === 'signing');

describe('a rotation of keys that the customer publishes', () => {
  it('keeps every message verifiable, whenever it was signed and whenever it is verified', async () => {
    const { body: domain } = await program.call('POST', '/domains', { body: { name: 'rotate.test' } });
    publishRecords(program.dns, 'rotate.test', allRecords(domain));
    await program.call('POST', `/domains/${domain.id}/verify`);
    await program.becomes(domain.id, 'verified');
    const before = await send('rotate.test');
    expect(selectorsIn(before)).toEqual(['postrider', 'postrider-ed25519']);
    await expectVerified(before);

    await program.call('POST', `/domains/${domain.id}/dkim/rotate`);
    await program.advance(day);
    const during = await send('rotate.test');
    expect(selectorsIn(during)).toEqual(['postrider', 'postrider-ed25519']);
    expect(await program.statusOf(domain.id)).toBe('verified');
    await expectVerified(during);

    publishRecords(program.dns, 'rotate.test', await recordsOf(domain.id));
    await program.call('POST', `/domains/${domain.id}/verify`);
    await becomesSigner(domain.id, 'postrider2');
    const after = await send('rotate.test');
    expect(selectorsIn(after)).toEqual(['postrider2', 'postrider2-ed25519']);
    for (const message of [before, during, after]) await expectVerified(message);

    await program.advance(6 * day);
    expect(await statesOf(domain.id)).toMatchObject({ postrider: 'retired', 'postrider-ed25519': 'retired' });
    await program.advance(1.1 * day);
    await until(async () => !('postrider' in (await statesOf(domain.id))));
    program.dns.remove('postrider._domainkey.rotate.test').remove('postrider-ed25519._domainkey.rotate.test');
    await program.advance(day);
    expect(await program.statusOf(domain.id)).toBe('verified');
    await expectVerified(after);
    await expectVerified(await send('rotate.test'));
  });

  it('signs with RSA only until the Ed25519 record is published, and again once it is removed', async () => {
    const { body: domain } = await program.call('POST', '/domains', { body: { name: 'rsa.test' } });
    const records = domain.records as ReturnedRecord[];
    publishRecords(
      program.dns,
      'rsa.test',
      records.filter(({ name }) => !name.includes('ed25519')),
    );
    await program.call('POST', `/domains/${domain.id}/verify`);
    await program.becomes(domain.id, 'verified');
    expect(selectorsIn(await send('rsa.test'))).toEqual(['postrider']);

    publishRecords(program.dns, 'rsa.test', records);
    await program.advance(day / 12);
    await becomesSigner(domain.id, 'postrider-ed25519');
    await until(async () => selectorsIn(await send('rsa.test')).length === 2);

    program.dns.remove('postrider-ed25519._domainkey.rsa.test');
    await program.advance(day / 12);
    await until(async () => (await statesOf(domain.id))['postrider-ed25519'] === 'published');
    expect(await program.statusOf(domain.id)).toBe('verified');
    await until(async () => selectorsIn(await send('rsa.test')).length === 1);
  });
});

describe('a rotation of delegated keys', () => {
  /** Publishes the keys in the operator's zone. */
  async function publishDelegated(id: string): Promise<void> {
    for (const { delegated_host, value } of await keysOf(id)) program.dns.txt(delegated_host as string, value);
  }

  it('starts by itself when the keys are old, without a change in the DNS of the customer', async () => {
    const { body: domain } = await program.call('POST', '/domains', {
      body: { name: 'delegated.test', dkim: 'cname' },
    });
    publishRecords(program.dns, 'delegated.test', allRecords(domain));
    const aliases = (domain.records as ReturnedRecord[]).filter(({ record }) => record === 'DKIM');
    expect(aliases.map(({ type, name }) => [type, name])).toEqual([
      ['CNAME', 'postrider._domainkey'],
      ['CNAME', 'postrider2._domainkey'],
      ['CNAME', 'postrider-ed25519._domainkey'],
      ['CNAME', 'postrider2-ed25519._domainkey'],
    ]);
    await publishDelegated(domain.id);
    await program.call('POST', `/domains/${domain.id}/verify`);
    await program.becomes(domain.id, 'verified');
    await becomesSigner(domain.id, 'postrider-ed25519');
    const before = await send('delegated.test');
    await expectVerified(before);

    await program.advance(91 * day);
    await until(async () => 'postrider2' in (await statesOf(domain.id)));
    const during = await send('delegated.test');
    expect(selectorsIn(during)).toEqual(['postrider', 'postrider-ed25519']);
    await expectVerified(during);
    expect(await program.statusOf(domain.id)).toBe('verified');

    await publishDelegated(domain.id);
    await program.advance(day / 12);
    await becomesSigner(domain.id, 'postrider2');
    const after = await send('delegated.test');
    expect(selectorsIn(after)).toEqual(['postrider2', 'postrider2-ed25519']);
    for (const message of [before, during, after]) await expectVerified(message);
    expect(await program.call('POST', `/domains/${domain.id}/dkim/rotate`)).toMatchObject({
      status: 409,
      body: { name: 'resource_locked' },
    });
  });
});
