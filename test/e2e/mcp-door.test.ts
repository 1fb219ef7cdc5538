import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentClient } from '../support/clients/agent-client.js';
import { startProgram, testApiKey, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { toolSets } from '../../libs/mcp/src/infrastructure/http/tools/tool-sets.js';

let program: TestProgram;
let agent: AgentClient;

beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PER_SECOND: '100000', TRUSTED_PROXIES: '127.0.0.1' });
  agent = await AgentClient.connect(program.url, testApiKey);
});

afterAll(async () => {
  await agent.close();
  await program.stop();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${program.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
const withKey = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  post(path, body, { authorization: `Bearer ${testApiKey}`, ...headers });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const newKey = async (key: object): Promise<string> => {
  const response = await program.request('/api-keys', {
    method: 'POST',
    body: JSON.stringify({ name: 'A key', ...key }),
  });
  return ((await response.json()) as { token: string }).token;
};
describe('the door', () => {
  it.each(toolSets)('$path names its metadata to clients without a credential', async ({ path }) => {
    const metadata = `${program.url}/.well-known/oauth-protected-resource${path}`;
    for (const credential of ['', 'Bearer re_unknown_0123456789abcdef', 'Bearer x']) {
      const response = await post(path, listTools, credential === '' ? {} : { authorization: credential });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    }
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: `${program.url}${path}`,
      authorization_servers: [program.url],
    });
  });

  it('offers no stream and no session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await program.request('/mcp', { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const response = await withKey('/mcp', listTools);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('refuses the pages of other sites, and is no use to the cookie of a browser', async () => {
    for (const origin of ['https://evil.test', 'null', `http://evil.test:${new URL(program.url).port}`]) {
      const response = await withKey('/mcp', listTools, { origin });
      expect([response.status, await response.json()]).toEqual([
        403,
        expect.objectContaining({ name: 'cross_site_request' }),
      ]);
    }
    expect((await withKey('/mcp', listTools, { origin: program.url })).status).toBe(200);
    expect((await post('/mcp', listTools, { cookie: 'postrider.session_token=x' })).status).toBe(401);
  });

  it('refuses what is no message, and revisions that it does not know', async () => {
    expect((await withKey('/mcp', listTools, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await withKey('/mcp', listTools, { 'content-type': 'text/plain' })).status).toBe(415);
    for (const body of ['{', '""', '{}', '[1', '']) expect((await withKey('/mcp', body)).status).toBe(400);
    const batch = await withKey('/mcp', [listTools, listTools]);
    expect([batch.status, await batch.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.stringMatching(/^Batches are refused/) } },
    ]);
    const polluting =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"__proto__":{"a":1}}}}';
    expect((await withKey('/mcp', polluting)).status).toBe(400);
    expect(({} as { a?: number }).a).toBeUndefined();
    const large = await withKey('/mcp', { ...listTools, params: { x: 'x'.repeat(150_000) } });
    expect([large.status, await large.json()]).toEqual([
      413,
      expect.objectContaining({ message: expect.stringContaining('128 KB') }),
    ]);
  });

  it('opens for a key only from the addresses of its rule, which the tools see too', async () => {
    const token = await newKey({ permission: 'full_access', allowed_ips: ['203.0.113.0/24'] });
    await expect(AgentClient.connect(program.url, token)).rejects.toThrow(/allowed_ips|403/);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const inside = await AgentClient.connect(program.url, token, { headers });
    expect(await inside.ask('list_domains')).toMatchObject({ domains: expect.any(Array) });
    await inside.close();
  });

  it('leaves each operation in the log of requests, with the name of the agent, and itself only where it refuses', async () => {
    await agent.ask('search', { query: 'nothing' });
    interface Log {
      readonly endpoint: string;
      readonly user_agent: string;
      readonly response_status: number;
    }
    const logs = await until(async () => {
      const { data } = (await (await program.request('/logs?limit=100')).json()) as { data: Log[] };
      return data.some(({ endpoint }) => endpoint === '/search') ? data : undefined;
    });
    expect(logs.find(({ endpoint }) => endpoint === '/search')).toMatchObject({ user_agent: 'an-agent/1' });
    const ofAgent = logs.filter(({ endpoint, user_agent: by }) => endpoint === '/mcp' && by === 'an-agent/1');
    // Refused at the door: by the rule of the key above.
    expect(ofAgent.map(({ response_status: status }) => status)).toEqual([403]);
  });
});

it('the rate limit counts each operation of a tool, and each other message', async () => {
  const limited = await startProgram({ RATE_LIMIT_PER_SECOND: '5' });
  try {
    const client = await AgentClient.connect(limited.url, testApiKey);
    const answers = await Promise.all(Array.from({ length: 25 }, () => client.call('list_domains')));
    expect(answers.find(({ isError }) => isError)?.text).toMatch(
      /^rate_limit_exceeded: .* Try again in \d+ seconds\.$/,
    );
    const wrong = await Promise.all(Array.from({ length: 25 }, () => client.call('list_domains', { x: 1 })));
    expect(wrong.some(({ text }) => text.startsWith('rate_limit_exceeded'))).toBe(true);
    const lists = await Promise.all(
      Array.from({ length: 25 }, () =>
        limited.request('/mcp', {
          method: 'POST',
          body: JSON.stringify(listTools),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        }),
      ),
    );
    expect(lists.some(({ status }) => status === 429)).toBe(true);
    await client.close();
  } finally {
    await limited.stop();
  }
});

it('the operator turns it off with MCP=off', async () => {
  const without = await startProgram({ MCP: 'off' });
  try {
    expect((await without.request('/mcp', { method: 'POST', body: JSON.stringify(listTools) })).status).toBe(404);
    expect((await fetch(`${without.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  } finally {
    await without.stop();
  }
});
