import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import {
  oddText,
  oddValues,
  Operation,
  operationsOf,
  requestsWithOddValues,
} from '../../support/described/odd-values.js';

let hostile: HostileProgram;
let operations: readonly Operation[];

beforeAll(async () => {
  hostile = await startHostileProgram();
  const all = operationsOf(await (await hostile.request('/openapi.json')).json(), hostile.attackerSender);
  // Its response does not end: test/e2e/live.test.ts.
  operations = all.filter(({ path }) => path !== '/live');
});

afterAll(() => hostile.stop());

interface Fault {
  readonly request: string;
  readonly response: string;
}

async function faultOf(path: string, init: RequestInit): Promise<Fault | undefined> {
  const request = `${init.method} ${path} ${typeof init.body === 'string' ? init.body.slice(0, 200) : ''}`;
  try {
    const response = await hostile.request(path, init);
    const text = await response.text();
    const isFine = response.status < 500 && (response.status < 400 || typeof JSON.parse(text).message === 'string');
    return isFine ? undefined : { request, response: `${response.status} ${text}` };
  } catch (error) {
    return { request, response: String(error) };
  }
}

async function faultsOf(requests: Iterable<readonly [string, RequestInit]>): Promise<Fault[]> {
  const faults: Fault[] = [];
  const next = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let item = next.next(); item.done !== true; item = next.next()) {
      const fault = await faultOf(...item.value);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: 24 }, work));
  return faults;
}

it('no odd value in a path, a query or a body of any route causes a server error', async () => {
  expect(operations.length).toBeGreaterThan(40);
  expect(oddValues.length).toBeGreaterThan(55);
  const requests = [...requestsWithOddValues(operations)];
  console.log(`${requests.length} requests`);
  const calm = await hostile.during(() => faultsOf(requests));

  expect(calm.result.slice(0, 10)).toEqual([]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
});

it('large fields that no operation asked for are not taken apart by any', async () => {
  const junk = {
    ...Object.fromEntries(['html', 'text', 'description'].map((name) => [name, 'x'.repeat(200_000)])),
    attachments: [{ content: 'QUJD'.repeat(200_000) }],
  };
  const slow: string[] = [];
  const calm = await hostile.during(async () => {
    for (const { method, path, body } of operations) {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) continue;
      const startedAt = performance.now();
      const fault = await faultOf(path, { method, body: JSON.stringify({ ...junk, ...body }) });
      if (fault !== undefined) slow.push(fault.response);
      if (performance.now() - startedAt > calmMs) slow.push(`${method} ${path}`);
    }
  });

  expect(slow).toEqual([]);
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs / 2);
});

it('no odd value in a header causes a server error', async () => {
  const values = oddText.filter((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && value.trim() === value);
  const names = ['idempotency-key', 'x-batch-validation', 'user-agent', 'x-forwarded-for', 'accept', 'range', 'cookie'];
  const body = JSON.stringify([{ from: hostile.attackerSender, to: 'a@good.test', subject: 'x', text: 'x' }]);
  const requests = names.flatMap((name) =>
    values.map((value) => ['/emails/batch', { method: 'POST', body, headers: { [name]: value } }] as const),
  );

  expect((await faultsOf(requests)).slice(0, 10)).toEqual([]);
});

it.each([
  ['/suppressions/a%00b', 'control characters'],
  ['/suppressions/a%0d%0ab', 'control characters'],
  ['/emails?after=%1f', 'control characters'],
  ['/emails/metrics?end_date=-271821-04-20', '`end_date`'],
  ['/emails/metrics?end_date=0000-01-01', '`end_date`'],
])('%s is refused', async (path, message) => {
  const response = await hostile.request(path);

  expect(response.status).toBe(422);
  expect(((await response.json()) as { message: string }).message).toContain(message);
});

const [nul, half] = ['\0', '\ud800'];
const documentOf = (...content: object[]): object => ({ type: 'doc', content });
const buttonOf = (href: string): object => documentOf({ type: 'button', attrs: { href } });
const templateOf = (fallback: object): object => ({
  name: 'x',
  html: 'x',
  variables: [{ key: 'A', type: 'object', fallback_value: fallback }],
});

// Half of a pair in a value becomes U+FFFD as the body is read.
it.each([
  ['PUT', '/editor/styles', { styles: { website: `https://a.test/${half}` } }, 200],
  ['PUT', '/editor/styles', { styles: { logo: `{{${nul}}}` } }, 422],
  ['POST', '/editor/render', { content: buttonOf(`{{${nul}}}`) }, 422],
  ['POST', '/editor/render', { content: buttonOf(`{{${half}}}`) }, 200],
  ['POST', '/templates', templateOf({ a: half }), 201],
  ['POST', '/templates', templateOf({ [half]: 1 }), 422],
  ['POST', '/templates', templateOf({ a: [nul] }), 422],
])('%s %s with signs that cannot be stored has an answer (%#)', async (method, path, body, status) => {
  const response = await hostile.request(path, { method, body: JSON.stringify(body) });

  expect(response.status).toBe(status);
  if (status === 422) expect(await response.json()).toMatchObject({ name: 'validation_error' });
});

it('documents with an odd name of a variable, and a heading of very many lines, are stored', async () => {
  const made = await hostile.request('/templates', { method: 'POST', body: JSON.stringify({ name: 'x', html: 'x' }) });
  const { id } = (await made.json()) as { id: string };
  for (const content of [
    documentOf({ type: 'codeBlock', content: [{ type: 'variable', attrs: { name: `a${half}` } }] }),
    documentOf({ type: 'heading', content: [{ type: 'text', text: `Hi${'\n'.repeat(300_000)}You` }] }),
  ]) {
    const body = JSON.stringify({ resource_type: 'template', resource_id: id, content });
    const response = await hostile.request('/editor/content', { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  }
});
