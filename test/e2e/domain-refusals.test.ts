import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#postgres/database';
import { DomainsProgram, startDomainsProgram } from '../support/programs/domains-program.js';

let program: DomainsProgram;

beforeAll(async () => {
  program = await startDomainsProgram();
});

afterAll(() => program.stop());

async function createDomain(name: string) {
  const { data, error } = await program.resend.domains.create({ name });
  expect(error).toBeNull();
  return data as NonNullable<typeof data>;
}

describe('a request about domains is refused', () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ['no name', {}, 422, 'missing_required_field'],
    ['an invalid name', { name: 'not a domain' }, 422, 'validation_error'],
    ['a public suffix', { name: 'co.uk' }, 422, 'validation_error'],
    ['an unknown region', { name: 'x.test', region: 'mars-1' }, 422, 'invalid_region'],
    ['a return path that starts with a digit', { name: 'x.test', custom_return_path: '1x' }, 422, 'validation_error'],
    ['a return path of 64 letters', { name: 'x.test', custom_return_path: 'x'.repeat(64) }, 422, 'validation_error'],
    ['no capability at all', { name: 'x.test', capabilities: { sending: 'disabled' } }, 422, 'validation_error'],
    ['a capability of another kind', { name: 'x.test', capabilities: { sending: true } }, 422, 'validation_error'],
    ['an unknown TLS policy', { name: 'x.test', tls: 'always' }, 422, 'validation_error'],
    ['tracking that is not a boolean', { name: 'x.test', open_tracking: 'yes' }, 422, 'validation_error'],
    ['one host for two purposes', { name: 'x.test', tracking_subdomain: 'send' }, 422, 'validation_error'],
    ['a name of this service', { name: 'sandbox.postrider.test' }, 403, 'validation_error'],
  ])('%s', async (_, body, statusCode, name) => {
    const response = await program.call('POST', '/domains', { body });

    expect(response).toMatchObject({ status: statusCode, body: { statusCode, name } });
  });

  it('another team neither sees nor changes a domain', async () => {
    const { id } = await createDomain('mine.test');

    const { domains } = program.other;
    const results = [
      await domains.get(id),
      await domains.update({ id, openTracking: true }),
      await domains.verify(id),
      await domains.remove(id),
      await domains.claims.get(id),
      await domains.claims.verify(id),
    ];

    expect(results.map(({ error }) => error?.statusCode)).toEqual([404, 404, 404, 404, 404, 404]);
    for (const path of ['diagnosis', 'dkim']) {
      expect((await program.call('GET', `/domains/${id}/${path}`, { key: program.otherKey })).status).toBe(404);
    }
    expect((await program.call('POST', `/domains/${id}/dkim/rotate`, { key: program.otherKey })).status).toBe(404);
    expect((await domains.list()).data?.data).toEqual([]);
  });

  it('a malformed id is reported as such', async () => {
    expect((await program.resend.domains.get('nonsense')).error).toMatchObject({
      statusCode: 422,
      name: 'invalid_parameter',
      message: 'The `id` must be a valid UUID.',
    });
  });

  it('a key that may only send is refused', async () => {
    const key = 're_sendingonly_0123456789abcdef';
    await program.postrider.app.get(Database).execute({
      text: `INSERT INTO api_keys (id, team_id, name, permission, token_hash, created_at)
             SELECT gen_random_uuid(), team_id, 'Sending', 'sending_access', sha256($1::bytea), now()
             FROM api_keys ORDER BY id LIMIT 1`,
      values: [Buffer.from(key)],
    });

    for (const [method, path] of [
      ['GET', '/domains'],
      ['POST', '/domains'],
      ['POST', '/domains/claim'],
    ] as const) {
      const response = await program.call(method, path, {
        key,
        body: method === 'POST' ? { name: 'x.test' } : undefined,
      });
      expect(response).toMatchObject({ status: 401, body: { name: 'restricted_api_key' } });
    }
  });

  it('a domain that any team has registered cannot be registered again', async () => {
    await createDomain('taken.test');

    expect((await program.resend.domains.create({ name: 'TAKEN.test' })).error).toMatchObject({ statusCode: 403 });
    expect((await program.other.domains.create({ name: 'taken.test' })).error).toMatchObject({
      statusCode: 403,
      name: 'validation_error',
      message: 'The taken.test domain has been registered already.',
    });
  });
});
