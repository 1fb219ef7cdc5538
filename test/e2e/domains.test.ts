import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainEventPayload } from '#domains';
import { Database } from '#platform/database';
import { DomainsProgram, serviceHost, startDomainsProgram } from '../support/domains-program.js';
import { absoluteName, publishRecords, ReturnedRecord } from '../support/published-records.js';
import { until } from '../support/until.js';

let program: DomainsProgram;

beforeAll(async () => {
  program = await startDomainsProgram();
});

afterAll(() => program.stop());

const hour = 3_600_000;

async function createDomain(name: string, options: Record<string, unknown> = {}) {
  const { data, error } = await program.resend.domains.create({ name, ...options });
  expect(error).toBeNull();
  return data as NonNullable<typeof data>;
}

async function verifiedDomain(name: string) {
  const domain = await createDomain(name);
  publishRecords(program.dns, name, domain.records);
  await program.resend.domains.verify(domain.id);
  await program.becomes(domain.id, 'verified');
  return domain;
}

const recordOf = (records: readonly ReturnedRecord[], kind: string, type: string): ReturnedRecord =>
  records.find(({ record, type: given }) => record === kind && given === type) as ReturnedRecord;

async function statusesOf(id: string): Promise<Record<string, string>> {
  const { data } = await program.resend.domains.get(id);
  return Object.fromEntries(
    (data?.records ?? []).map(({ record, type, name, status }) => [`${record} ${type} ${name}`, status]),
  );
}

async function eventsOf(id: string) {
  return program.postrider.app.get(Database).query<{ type: string; payload: DomainEventPayload }>({
    text: `SELECT type, data AS payload FROM team_events WHERE data->>'id' = $1 ORDER BY id`,
    values: [id],
  });
}

const send = (from: string) =>
  program.resend.emails.send({ from, to: 'someone@example.test', subject: 'Hello', text: 'Hi' });

describe('the domain methods of the resend client', () => {
  it('create returns the records of the contract with hosts of this service', async () => {
    const domain = await createDomain('shapes.test', {
      region: 'eu-west-1',
      customReturnPath: 'bounce',
      trackingSubdomain: 'links',
      openTracking: true,
      capabilities: { receiving: 'enabled' },
    });

    expect(domain).toEqual({
      object: 'domain',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'shapes.test',
      status: 'not_started',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/),
      region: 'eu-west-1',
      open_tracking: true,
      click_tracking: false,
      tracking_subdomain: 'links',
      capabilities: { sending: 'enabled', receiving: 'enabled' },
      records: [
        txt('DKIM', 'postrider._domainkey', expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}=*$/)),
        txt('DKIM', 'postrider-ed25519._domainkey', expect.stringMatching(/^v=DKIM1; k=ed25519; p=.{43}=$/)),
        {
          record: 'SPF',
          name: 'bounce',
          type: 'MX',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
          priority: 10,
        },
        txt('SPF', 'bounce', `v=spf1 a:${serviceHost} ~all`),
        {
          record: 'Receiving',
          name: 'shapes.test',
          type: 'MX',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
          priority: 10,
          note: expect.stringContaining('does not receive mail yet'),
        },
        {
          record: 'Tracking',
          name: 'links.shapes.test',
          type: 'CNAME',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
        },
        txt('DMARC', '_dmarc', 'v=DMARC1; p=none;'),
      ],
    });
  });

  it('a domain can send once its records are published and verified', async () => {
    const domain = await createDomain('sending.test');
    expect((await send('a@sending.test')).error).toMatchObject({ statusCode: 403, name: 'validation_error' });
    publishRecords(program.dns, 'sending.test', domain.records);

    const verify = await program.resend.domains.verify(domain.id);

    expect(verify.data).toEqual({ object: 'domain', id: domain.id });
    await program.becomes(domain.id, 'verified');
    expect(new Set(Object.values(await statusesOf(domain.id)))).toEqual(new Set(['verified']));
    const { data, error } = await send('Acme <a@sending.test>');
    expect(error).toBeNull();
    await until(() => program.transport.delivered.some(({ emailId }) => emailId === data?.id));
  });

  it('the records of a subdomain are named relative to its zone', async () => {
    const domain = await createDomain('mail.sub.test');
    expect(domain.records.map(({ name }) => name)).toEqual([
      'postrider._domainkey.mail',
      'postrider-ed25519._domainkey.mail',
      'send.mail',
      'send.mail',
      '_dmarc.mail',
    ]);
    publishRecords(program.dns, 'sub.test', domain.records);
    await program.resend.domains.verify(domain.id);
    await program.becomes(domain.id, 'verified');
    expect((await send('a@sub.test')).error).toMatchObject({ statusCode: 403 });
    expect((await send('a@mail.sub.test')).error).toBeNull();
  });

  it('get, list, update and remove return the fields of the contract', async () => {
    const domain = await createDomain('methods.test');
    const { records, ...summary } = domain as typeof domain & { object: string };

    expect((await program.resend.domains.get(domain.id)).data).toEqual({ ...summary, records });
    const list = await program.resend.domains.list();
    const { object: _, ...item } = summary;
    expect(list.data).toMatchObject({ object: 'list', has_more: false });
    expect(list.data?.data[0]).toEqual(item);
    expect((await program.resend.domains.list({ limit: 1 })).data).toMatchObject({ has_more: true, data: [item] });

    const update = { id: domain.id, clickTracking: true, tls: 'enforced' as const, trackingSubdomain: 'go' };
    expect((await program.resend.domains.update(update)).data).toEqual({ object: 'domain', id: domain.id });
    expect((await program.resend.domains.get(domain.id)).data).toMatchObject({
      click_tracking: true,
      tracking_subdomain: 'go',
    });

    expect((await program.resend.domains.remove(domain.id)).data).toEqual({
      object: 'domain',
      id: domain.id,
      deleted: true,
    });
    expect((await program.resend.domains.get(domain.id)).error).toMatchObject({
      statusCode: 404,
      message: 'Domain not found',
    });
    expect((await eventsOf(domain.id)).map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.updated',
      'domain.deleted',
    ]);
  });
});

describe('the life of a verified domain', () => {
  it.each([
    ['DKIM', 'TXT'],
    ['SPF', 'MX'],
    ['SPF', 'TXT'],
  ] as const)('that loses its %s %s record keeps sending for 72 hours, and no longer', async (kind, type) => {
    const name = `lost-${kind}-${type}.test`.toLowerCase();
    const domain = await verifiedDomain(name);
    const lost = recordOf(domain.records, kind, type);

    program.dns.remove(absoluteName(lost, name), type);
    await program.advance(2 * hour);
    await program.becomes(domain.id, 'temporary_failure');

    expect((await statusesOf(domain.id))[`${kind} ${type} ${lost.name}`]).toBe('temporary_failure');
    expect((await send(`a@${name}`)).error).toBeNull();
    const warning = (await eventsOf(domain.id)).at(-1);
    expect(warning).toMatchObject({ type: 'domain.updated', payload: { status: 'temporary_failure' } });
    const { body } = await program.call('GET', `/domains/${domain.id}/diagnosis`);
    expect(body.records.find((record: { status: string }) => record.status === 'temporary_failure')).toMatchObject({
      mistake: 'missing',
      advice: expect.stringContaining(`There is no ${type} record at`),
    });

    for (let day = 0; day < 3; day++) {
      await program.advance(25 * hour);
      await until(async () => checkedToday(domain.id));
    }
    await program.becomes(domain.id, 'failed');
    await until(async () => (await send(`a@${name}`)).error?.statusCode === 403);
  });

  it('is verified again when the record is back', async () => {
    const domain = await verifiedDomain('back.test');
    program.dns.remove('postrider._domainkey.back.test');
    await program.advance(2 * hour);
    await program.becomes(domain.id, 'temporary_failure');

    publishRecords(program.dns, 'back.test', domain.records);
    await program.advance(hour);

    await program.becomes(domain.id, 'verified');
  });

  it('does not change while name servers fail', async () => {
    const domain = await verifiedDomain('unanswered.test');
    program.dns.trouble('send.unanswered.test', 'servfail');
    const checkedAt = await checkOf(domain.id);

    await program.advance(2 * hour);
    await until(async () => (await checkOf(domain.id)) !== checkedAt);

    expect(await program.statusOf(domain.id)).toBe('verified');
    program.dns.trouble('send.unanswered.test', undefined);
  });

  it('is never verified for receiving, which this service does not do yet, and keeps sending', async () => {
    const domain = await verifiedDomain('both.test');
    await program.resend.domains.update({ id: domain.id, capabilities: { receiving: 'enabled' } });
    await program.becomes(domain.id, 'partially_verified');
    const { data } = await program.resend.domains.get(domain.id);
    publishRecords(program.dns, 'both.test', data?.records ?? []);

    // The record is published, checked for longer than the program waits for records, and verified again.
    await program.advance(73 * hour);
    await until(async () => (await receivingRecord(domain.id)).found.length > 0);
    await program.resend.domains.verify(domain.id);
    await program.advance(hour);

    await program.becomes(domain.id, 'partially_verified');
    expect(await receivingRecord(domain.id)).toMatchObject({
      status: 'pending',
      mistake: 'service_does_not_receive',
      note: expect.stringContaining('Do not publish this record'),
      advice: expect.stringContaining('mail to the domain would be refused'),
    });
    expect((await send('a@both.test')).error).toBeNull();
  });

  it('fails after 72 hours without its records, and can be verified again', async () => {
    const domain = await createDomain('never.test');
    await program.resend.domains.verify(domain.id);
    await until(async () => (await program.statusOf(domain.id)) === 'pending' && (await checkOf(domain.id)) !== null);

    await program.advance(73 * hour);
    await program.becomes(domain.id, 'failed');

    publishRecords(program.dns, 'never.test', domain.records);
    await program.resend.domains.verify(domain.id);
    await program.becomes(domain.id, 'verified');
  });

  it('is reported in events with the payload of webhooks', async () => {
    const domain = await createDomain('events.test', { capabilities: { receiving: 'enabled' } });
    publishRecords(program.dns, 'events.test', domain.records);
    await program.resend.domains.verify(domain.id);
    await program.becomes(domain.id, 'partially_verified');

    const events = await eventsOf(domain.id);

    expect(events.map(({ type, payload }) => [type, payload.status])).toEqual([
      ['domain.created', 'not_started'],
      ['domain.updated', 'pending'],
      ['domain.updated', 'partially_verified'],
    ]);
    expect(Object.keys(events[2]?.payload ?? {}).sort()).toEqual([
      'capabilities',
      'created_at',
      'id',
      'name',
      'records',
      'region',
      'status',
    ]);
    expect(events[2]?.payload.records.map(({ record }: ReturnedRecord) => record)).toContain('Receiving MX');
    expect(events[2]?.payload.created_at).toMatch(/^[\d-]+T[\d:.]+Z$/);
  });
});

function txt(record: string, name: string, value: unknown) {
  return { record, name, type: 'TXT', ttl: 'Auto', status: 'not_started', value };
}

interface DiagnosedRecord {
  readonly record: string;
  readonly found: readonly string[];
}

async function receivingRecord(id: string): Promise<DiagnosedRecord> {
  const records = (await program.call('GET', `/domains/${id}/diagnosis`)).body.records as DiagnosedRecord[];
  return records.find(({ record }) => record === 'Receiving') as DiagnosedRecord;
}

async function checkOf(id: string): Promise<string | null> {
  return (await program.call('GET', `/domains/${id}/diagnosis`)).body.checked_at as string | null;
}

async function checkedToday(id: string): Promise<boolean> {
  const checked = await checkOf(id);
  return checked?.slice(0, 19) === program.clock.now().toISOString().replace('T', ' ').slice(0, 19);
}
