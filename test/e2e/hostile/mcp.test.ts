import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';

const mebibyte = 1024 * 1024;
const maxGrowth = 250 * mebibyte;
const atOnce = 50;

let hostile: HostileProgram;

beforeAll(async () => {
  hostile = await startHostileProgram();
});

afterAll(() => hostile.stop());

const headers = { accept: 'application/json, text/event-stream' };
const call = (name: string, input: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });
const manyArguments = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

async function send(
  body: string,
): Promise<{ readonly status: number; readonly bytes: number; readonly start: string }> {
  const response = await hostile.request('/mcp', { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, bytes: Buffer.byteLength(text), start: text.slice(0, 200) };
}

it.each<[name: string, body: () => string]>([
  ['batches of 10,000 messages', () => `[${Array(10_000).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join(',')}]`],
  ['a batch of batches', () => '['.repeat(50_000)],
  ['arguments of 500 KB', () => call('send_email', { to: ['a@good.test'], text: 'x'.repeat(500_000) })],
  ['arguments of 120 KB', () => call('send_email', { to: ['a@good.test'], text: 'x'.repeat(120_000) })],
  ['9,000 arguments', () => call('search', manyArguments(9_000))],
  ['1,900 arguments', () => call('search', manyArguments(1_900))],
  [
    'deep arguments',
    () => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${deep(20_000)}}}`,
  ],
  [
    'variables of a template without end',
    () => call('check_email', { to: ['a@good.test'], template: { id: 'x', variables: { x: '{{x}}'.repeat(20_000) } } }),
  ],
  [
    'subscriptions',
    () =>
      '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}',
  ],
])('%s, many at once, are refused and hold up nobody', async (_, body) => {
  const text = body();
  const calm = await hostile.during(() => Promise.all(Array.from({ length: atOnce }, () => send(text))));

  expect(calm.result.filter(({ status }) => status >= 500)).toEqual([]);
  expect(Math.max(...calm.result.map(({ bytes }) => bytes))).toBeLessThan(64 * 1024);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
});

it('emails of 20 MB are explained without their content, many at once', async () => {
  const large = { from: hostile.attackerSender, to: 'a@good.test', subject: 'Large', text: 'x'.repeat(20 * mebibyte) };
  const sent = await hostile.request('/emails', { method: 'POST', body: JSON.stringify(large) });
  const { id } = (await sent.json()) as { id: string };
  const calm = await hostile.during(() =>
    Promise.all(Array.from({ length: atOnce }, () => send(call('get_email', { id })))),
  );

  expect(calm.result.every(({ status, bytes }) => status === 200 && bytes < 64 * 1024)).toBe(true);
  expect(calm.failures).toEqual([]);
  expect(calm.memoryGrowth).toBeLessThan(maxGrowth);
});
