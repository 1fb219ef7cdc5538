import { beforeEach, expect, it } from '@jest/globals';
import { AuthenticateApiKey } from '#identity';
import { InMemoryIdentity } from '../../../../test/support/fakes/in-memory-identity.js';
import { InMemoryRequestLogRepository } from '../../../../test/support/fakes/in-memory-request-log-repository.js';
import { LogRequest } from './log-request.use-case.js';

const request = {
  method: 'POST',
  endpoint: '/emails',
  userAgent: 'curl/8',
  status: 200,
  fromPage: false,
  requestBody: { to: 'ada@sink.test' },
  responseBody: { id: 'x' },
};
let identity: InMemoryIdentity;
let logs: InMemoryRequestLogRepository;
let logRequest: LogRequest;

beforeEach(() => {
  identity = new InMemoryIdentity();
  logs = new InMemoryRequestLogRepository();
  const { apiKeys, use, clock } = identity;
  logRequest = new LogRequest(logs, new AuthenticateApiKey(apiKeys, use, clock), clock);
});

async function logged(fields: object = {}) {
  logRequest.log(identity.principal, { ...request, ...fields });
  const [{ id } = { id: '' }] = (await logs.list(identity.teamId, { limit: 1 })).items;
  return logs.find(identity.teamId, id);
}

it('a request is kept for the team of who made it, with both bodies', async () => {
  expect(await logged()).toMatchObject({
    method: 'POST',
    endpoint: '/emails',
    userAgent: 'curl/8',
    responseStatus: 200,
    createdAt: identity.clock.now(),
    requestBody: { to: 'ada@sink.test' },
    responseBody: { id: 'x' },
  });
});

it('secrets are not kept', async () => {
  const log = await logged({ requestBody: { password: 'hunter2' }, responseBody: { token: 're_secret' } });
  expect(JSON.stringify(log)).not.toMatch(/hunter2|re_secret/);
});

it('what a client writes is bounded and can be stored', async () => {
  const log = await logged({ endpoint: `/\0${'x'.repeat(10_000)}`, userAgent: 'a\ud800b' });
  expect(log?.endpoint).toMatch(/^\/x{498,499}$/);
  expect(log?.userAgent).toBe('a\ufffdb');
});

it('a request without a user agent and without bodies is kept too', async () => {
  const log = await logged({ userAgent: undefined, requestBody: undefined, responseBody: undefined });
  expect(log).toMatchObject({ userAgent: null, requestBody: null, responseBody: null });
});

it('tells whose key a token is, and nobody of one that is not known', async () => {
  await identity.add('re_known');
  expect((await logRequest.principalOf('re_known'))?.teamId).toBe(identity.teamId);
  expect(await logRequest.principalOf('re_unknown')).toBeUndefined();
});
