import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { DomainsProgram, startDomainsProgram } from '../support/programs/domains-program.js';
import { allRecords, publishRecords } from '../support/builders/published-records.js';
import { until } from '../support/runner/until.js';

let program: DomainsProgram;
let round = 0;
let name: string;
let owned: string;

const hour = 3_600_000;

beforeAll(async () => {
  program = await startDomainsProgram();
});

afterAll(() => program.stop());

beforeEach(async () => {
  name = `claimed${++round}.test`;
  owned = (await program.resend.domains.create({ name })).data?.id as string;
});

const claims = () => program.other.domains.claims;

async function claim() {
  const { data, error } = await claims().create({ name, region: 'eu-west-1', customReturnPath: 'back' });
  expect(error).toBeNull();
  return data as NonNullable<typeof data>;
}

async function prove(id: string, record: { name: string; value: string }): Promise<void> {
  program.dns.txt(record.name, record.value);
  await claims().verify(id);
}

const claimBecomes = (id: string, status: string, blockedReason: string | null = null) =>
  until(async () => {
    const { data } = await claims().get(id);
    return data?.status === status && data.blocked_reason === blockedReason;
  });

async function verifyOwned(): Promise<void> {
  const { data } = await program.resend.domains.get(owned);
  publishRecords(program.dns, name, allRecords(data ?? {}));
  await program.resend.domains.verify(owned);
  await program.becomes(owned, 'verified');
}

const send = (scheduledAt?: string) =>
  program.resend.emails.send({ from: `a@${name}`, to: 'b@example.test', subject: 'x', text: 'x', scheduledAt });

describe('a claim of another team’s domain', () => {
  it('has the fields of the contract, and a second request returns the same claim', async () => {
    const first = await program.call('POST', '/domains/claim', { key: program.otherKey, body: { name } });
    const second = await program.call('POST', '/domains/claims', { key: program.otherKey, body: { name } });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(first.body).toEqual({
      object: 'domain_claim',
      id: expect.any(String),
      name,
      status: 'pending',
      domain_id: expect.any(String),
      region: null,
      record: {
        type: 'TXT',
        name: `_postrider-claim.${name}`,
        value: expect.stringMatching(/^postrider-domain-verification=[0-9a-f]{40}$/),
        ttl: 'Auto',
      },
      blocked_reason: null,
      failure_reason: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const path = `/domains/${first.body.domain_id}`;
    for (const spelling of ['claim', 'claims']) {
      expect((await program.call('GET', `${path}/${spelling}`, { key: program.otherKey })).body).toEqual(first.body);
      const verified = await program.call('POST', `${path}/${spelling}/verify`, { key: program.otherKey });
      expect(verified).toMatchObject({ status: 200, body: { status: 'pending' } });
    }
  });

  it('is withdrawn by deleting the domain that it would become', async () => {
    const { domain_id: id } = await claim();
    const { data } = await program.other.domains.get(id as string);
    expect(data).toMatchObject({ object: 'domain', id, name, status: 'not_started', region: 'eu-west-1', records: [] });
    expect((await program.resend.domains.get(id as string)).error?.statusCode).toBe(404);
    expect((await program.resend.domains.remove(id as string)).error?.statusCode).toBe(404);

    expect((await program.other.domains.remove(id as string)).data).toEqual({ object: 'domain', id, deleted: true });

    await claimBecomes(id as string, 'canceled');
    expect((await program.other.domains.get(id as string)).error?.statusCode).toBe(404);
    expect((await program.other.domains.remove(id as string)).error?.statusCode).toBe(404);
    expect((await claim()).domain_id).not.toBe(id);
  });

  it('moves the domain to the claimant once the DNS record proves it', async () => {
    const { domain_id: domainId, record } = await claim();
    await prove(domainId as string, record);
    await claimBecomes(domainId as string, 'completed');

    expect((await program.resend.domains.get(owned)).error?.statusCode).toBe(404);
    const { data } = await program.other.domains.get(domainId as string);
    expect(data).toMatchObject({ id: domainId, name, status: 'not_started', region: 'eu-west-1' });
    expect(data?.records.map((entry) => entry.name)).toContain('back');
    const events = await program.postrider.app.get(Database).query({
      text: `SELECT type, data->>'id' AS id FROM team_events WHERE data->>'name' = $1 ORDER BY id`,
      values: [name],
    });
    expect(events).toContainEqual({ type: 'domain.deleted', id: owned });
    expect(events).toContainEqual({ type: 'domain.created', id: domainId });
  });

  it('gives the domain all settings that it was made with', async () => {
    const [shown, diagnosed] = [
      {
        capabilities: { sending: 'enabled', receiving: 'enabled' },
        open_tracking: true,
        tracking_subdomain: 'links',
      },
      { tls: 'enforced', failover: true },
    ];
    const ask = (method: string, path: string, body?: object) =>
      program.call(method, path, { key: program.otherKey, body });
    const claimed = await ask('POST', '/domains/claim', { name, dkim: 'cname', ...shown, ...diagnosed });
    const { domain_id: id, record } = claimed.body as { domain_id: string; record: { name: string; value: string } };
    await prove(id, record);
    await claimBecomes(id, 'completed');

    expect((await ask('GET', `/domains/${id}`)).body).toMatchObject(shown);
    expect((await ask('GET', `/domains/${id}/diagnosis`)).body).toMatchObject(diagnosed);
    const keys = (await ask('GET', `/domains/${id}/dkim`)).body as { data: { delegated_host: string | null }[] };
    expect(keys.data.map((key) => key.delegated_host)).not.toContain(null);
  });

  it('is not proven by a record with another value', async () => {
    const { domain_id: domainId, record } = await claim();
    await prove(domainId as string, { ...record, value: 'postrider-domain-verification=other' });
    await program.advance(hour);
    const asked = program.dns.questions.filter((question) => question === `TXT ${record.name}`).length;
    await until(() => program.dns.questions.filter((question) => question === `TXT ${record.name}`).length > asked - 1);

    expect((await claims().get(domainId as string)).data?.status).toBe('pending');
    expect((await program.resend.domains.get(owned)).error).toBeNull();
  });

  it('waits a day if the owner’s domain is verified', async () => {
    await verifyOwned();
    const { domain_id: domainId, record } = await claim();
    await prove(domainId as string, record);
    await claimBecomes(domainId as string, 'blocked', 'grace_period');

    await program.advance(25 * hour);

    await claimBecomes(domainId as string, 'completed');
  });

  it('waits while the owner sends from the domain', async () => {
    await verifyOwned();
    await until(async () => (await send()).error === null);
    const { domain_id: domainId, record } = await claim();
    await prove(domainId as string, record);

    await claimBecomes(domainId as string, 'blocked', 'recent_owner_activity');
  });

  it('waits for scheduled mail', async () => {
    await verifyOwned();
    const at = new Date(program.clock.now().getTime() + 100 * hour).toISOString();
    const { data } = await send(at);
    await program.postrider.app.get(Database).execute({
      text: 'INSERT INTO scheduled_emails (email_id, due_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [data?.id, at],
    });
    const { domain_id: domainId, record } = await claim();
    await prove(domainId as string, record);

    await claimBecomes(domainId as string, 'blocked', 'pending_scheduled_emails');
  });

  it('expires after seven days', async () => {
    const { domain_id: domainId } = await claim();
    await claims().verify(domainId as string);

    await program.advance(7 * 24 * hour);

    await claimBecomes(domainId as string, 'expired');
  });
});

describe('a claim is refused', () => {
  it('for a domain of the team itself', async () => {
    expect((await program.resend.domains.claims.create({ name })).error).toMatchObject({ statusCode: 422 });
  });

  it('for a domain that is not registered', async () => {
    expect((await claims().create({ name: 'nobody.test' })).error).toMatchObject({ statusCode: 422 });
  });

  it('with invalid settings', async () => {
    const claimed = claims().create({ name, region: 'mars-1' as never });
    expect((await claimed).error).toMatchObject({ statusCode: 422, name: 'invalid_region' });
  });
});
