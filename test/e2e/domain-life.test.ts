import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { absoluteName, publishRecords, ReturnedRecord } from '../support/builders/published-records.js';
import { until } from '../support/runner/until.js';
import {
  program,
  startDomains,
  stopDomains,
  hour,
  createDomain,
  verifiedDomain,
  recordOf,
  statusesOf,
  eventsOf,
  send,
} from '../support/builders/domain-steps.js';

beforeAll(startDomains);
afterAll(stopDomains);

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
    expect((await program.resend.domains.get(domain.id)).data).toMatchObject({ status: 'partially_failed' });
    expect((await send(`a@${name}`)).error).toBeNull();
    const warning = (await eventsOf(domain.id)).at(-1);
    expect(warning).toMatchObject({
      type: 'domain.updated',
      payload: { status: 'failed', state: 'temporary_failure' },
    });
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

  it('comes back when the record does', async () => {
    const domain = await verifiedDomain('back.test');
    program.dns.remove('postrider._domainkey.back.test');
    await program.advance(2 * hour);
    await program.becomes(domain.id, 'temporary_failure');

    publishRecords(program.dns, 'back.test', domain.records);
    await program.advance(hour);

    await program.becomes(domain.id, 'verified');
  });

  it('is not touched by name servers that do not answer', async () => {
    const domain = await verifiedDomain('unanswered.test');
    program.dns.trouble('send.unanswered.test', 'servfail');
    const checkedAt = await checkOf(domain.id);

    await program.advance(2 * hour);
    await until(async () => (await checkOf(domain.id)) !== checkedAt);

    expect(await program.statusOf(domain.id)).toBe('verified');
    program.dns.trouble('send.unanswered.test', undefined);
  });

  it('is verified for receiving once its MX record names this service', async () => {
    const domain = await verifiedDomain('both.test');
    await program.resend.domains.update({ id: domain.id, capabilities: { receiving: 'enabled' } });
    await program.becomes(domain.id, 'partially_verified');
    const { data } = await program.resend.domains.get(domain.id);
    publishRecords(program.dns, 'both.test', data?.records ?? []);

    await program.resend.domains.verify(domain.id);

    await program.becomes(domain.id, 'verified');
    expect(await receivingRecord(domain.id)).toMatchObject({ type: 'MX', status: 'verified' });
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

  it('is told in events with the payload of webhooks', async () => {
    const domain = await createDomain('events.test', { capabilities: { receiving: 'enabled' } });
    publishRecords(program.dns, 'events.test', domain.records);
    await program.resend.domains.verify(domain.id);
    await program.becomes(domain.id, 'verified');

    const events = await eventsOf(domain.id);

    expect(events.map(({ type, payload }) => [type, payload.status])).toEqual([
      ['domain.created', 'not_started'],
      ['domain.updated', 'pending'],
      ['domain.updated', 'verified'],
    ]);
    expect(Object.keys(events[2]?.payload ?? {}).sort()).toEqual([
      'capabilities',
      'created_at',
      'id',
      'name',
      'recommended_records',
      'records',
      'region',
      'state',
      'status',
    ]);
    expect(events[2]?.payload.records.map(({ record }: ReturnedRecord) => record)).toContain('Receiving MX');
    expect(events[2]?.payload.created_at).toMatch(/^[\d-]+T[\d:.]+Z$/);
  });
});

interface DiagnosedRecord {
  readonly record: string;
  readonly found: readonly string[];
}

async function receivingRecord(id: string): Promise<DiagnosedRecord> {
  const records = (await program.call('GET', `/domains/${id}/diagnosis`)).body.records as DiagnosedRecord[];
  return records.find(({ record }) => record === 'Receiving MX') as DiagnosedRecord;
}

async function checkOf(id: string): Promise<string | null> {
  return (await program.call('GET', `/domains/${id}/diagnosis`)).body.checked_at as string | null;
}

async function checkedToday(id: string): Promise<boolean> {
  const checked = await checkOf(id);
  return checked?.slice(0, 19) === program.clock.now().toISOString().replace('T', ' ').slice(0, 19);
}
