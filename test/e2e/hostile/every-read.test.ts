import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DescribedDocument, DescribedOperation, operationsOf } from '../../support/described/described-operations.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { operationsByPermission } from '../../support/described/permissions-of-operations.js';
import { storeWorstData, WorstBodies, WorstQueries, WorstValues } from '../../support/builders/worst-data.js';
import { stretched } from '../../support/runner/stretched.js';

const atOnce = 10;
/** The time within which 99 of 100 requests of the other team get their response. */
const othersMs = stretched(500);
const megabyte = 1024 * 1024;
/** Of the whole process after all operations, most of which leave something that is not collected yet. */
const maxMemory = 1_200 * megabyte;
/**
 * A page of a list, however large its items are. The contents of a single thing are sent piece by piece and may be
 * larger.
 */
const maxPageBytes = 4 * megabyte;
const operatorKey = `op_${'0123456789abcdef'.repeat(2)}`;

/** Operations that are not called here, and why. */
const leftOut: Readonly<Record<string, string>> = {
  streamLiveUpdates: 'Its response does not end: test/e2e/live.test.ts.',
  getMe: 'For signed-in users only. A team stores nothing that it reads.',
  listSessions: 'For signed-in users only. A team stores nothing that it reads.',
  getMachineRoom: 'For operators only.',
  getQueue: 'For operators only.',
  listGuards: 'For operators only.',
  listSendingAddresses: 'For operators only.',
  getSendingAddress: 'For operators only.',
  listSendingPools: 'For operators only.',
  getSendingPool: 'For operators only.',
  listSendingPoolUses: 'For operators only.',
  getDiagnosis: 'For operators only.',
  listSandboxMessages: 'Only where the whole installation sends into the sandbox.',
  getSandboxMessage: 'Only where the whole installation sends into the sandbox.',
};

/** What makes an operation read as much as it can. All others get the largest page. */
const worstQueries: Readonly<Record<string, string>> = {
  listEmails: 'limit=100&subject=nothing&recipient=nobody',
  listContacts: 'limit=100&search=a',
  listSegmentContacts: 'limit=100&search=a',
  getEmailMetrics: 'granularity=hourly&dimensions=period',
  getEmailBreakdown: 'by=recipient_domain',
  getBroadcastMetrics: 'granularity=hourly&dimensions=period,broadcast',
  listBroadcastRecipients: 'type=sent&limit=100',
  search: 'q=a',
};

let hostile: HostileProgram;
let operations: readonly DescribedOperation[];
let values: WorstValues;
let queries: WorstQueries;
let bodies: WorstBodies;

beforeAll(async () => {
  hostile = await startHostileProgram({
    SMTP_LISTEN: '127.0.0.1:0+mx',
    OPERATOR_API_KEY: operatorKey,
    INBOUND_MESSAGES_PER_MINUTE: '100000',
  });
  ({ values, queries, bodies } = await storeWorstData(hostile));
  const document = (await (await hostile.request('/openapi.json')).json()) as DescribedDocument;
  const reads = new Set(
    Object.entries(operationsByPermission).flatMap(([permission, ids]) =>
      /:(?:read|export)$/.test(permission) ? ids : [],
    ),
  );
  operations = operationsOf(document).filter(
    ({ method, operationId }) =>
      (method === 'GET' || (method === 'POST' && reads.has(operationId))) && leftOut[operationId] === undefined,
  );
}, 400_000);

afterAll(() => hostile.stop());

const headersOf = ({ path }: { readonly path: string }): Record<string, string> =>
  path.startsWith('/operator/') ? { authorization: `Bearer ${operatorKey}` } : {};

/** The path with the worst thing that it can name: one of `storeWorstData`, or the first of the list above it. */
async function pathOf(operation: DescribedOperation): Promise<string> {
  const { path } = operation;
  let made = '';
  let described = '';
  for (const part of path.split('/').slice(1)) {
    described += `/${part}`;
    if (part.startsWith('{')) made += `/${values[described] ?? values[path] ?? (await firstOf(made, operation))}`;
    else made += `/${part}`;
  }
  return made;
}

async function firstOf(list: string, operation: DescribedOperation): Promise<string> {
  const response = await hostile.request(list, { headers: headersOf(operation) });
  const { data = [] } = (await response.json()) as { data?: readonly { readonly id: string }[] };
  if (data[0] !== undefined) return encodeURIComponent(data[0].id);
  throw new Error(
    `${operation.operationId}: ${list} lists nothing (${response.status}). Store something of it in test/support/builders/worst-data.ts, ` +
      'or return the value of the parameter from there.',
  );
}

/** The limit of the list and the queries that it needs. */
function queryOf({ operationId, parameters, requiredQuery }: DescribedOperation): string {
  const worst = worstQueries[operationId] ?? queries[operationId];
  if (worst !== undefined) return `?${worst}`;
  if (requiredQuery !== '') return requiredQuery;
  return parameters.some(({ name }) => name === 'limit') ? '?limit=100' : '';
}

interface Result {
  readonly statuses: readonly number[];
  readonly largest: number;
  readonly isList: boolean;
  readonly refusal: string;
}

async function call(operation: DescribedOperation): Promise<Result> {
  const { method, operationId, request } = operation;
  const path = `${await pathOf(operation)}${queryOf(operation)}`;
  const [example] = Object.values(request?.examples ?? {});
  const body = method === 'GET' ? undefined : JSON.stringify(bodies[operationId] ?? example?.value ?? {});
  const responses = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const response = await hostile.request(path, { method, body, headers: headersOf(operation) });
      const start = { text: '' };
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += (chunk as Uint8Array).length;
        if (start.text.length < 200) start.text += Buffer.from(chunk as Uint8Array).toString('utf8', 0, 200);
      }
      return { status: response.status, bytes, text: `${path}: ${start.text}` };
    }),
  );
  return {
    statuses: responses.map(({ status }) => status),
    largest: Math.max(...responses.map(({ bytes }) => bytes)),
    isList: responses.some(({ text }) => text.includes('{"object":"list"')),
    refusal: responses.find(({ status }) => status >= 300)?.text ?? '',
  };
}

it('every operation that reads or renders, ten at once with the worst data, does not hold up another team', async () => {
  expect(operations.length).toBeGreaterThan(75);
  const faults: string[] = [];
  const times: number[] = [];
  const slowest: { readonly name: string; readonly ms: number }[] = [];
  let peak = 0;
  for (const operation of operations) {
    const calm = await hostile.during(() => call(operation));
    const { statuses, largest, isList, refusal } = calm.result;
    const name = `${operation.operationId} (${operation.method} ${operation.path})`;
    times.push(...calm.requestTimes);
    slowest.push({ name, ms: Math.max(...calm.requestTimes) });
    peak = Math.max(peak, calm.peakMemory);
    if (!statuses.some((status) => status < 300)) faults.push(`${name} is refused each time: ${refusal}`);
    if (statuses.some((status) => status >= 500 && status !== 503)) faults.push(`${name} fails: ${refusal}`);
    if (isList && largest > maxPageBytes) faults.push(`${name} answers with ${largest} bytes`);
    faults.push(...calm.failures.map((failure) => `during ${name}: ${failure}`));
  }
  times.sort((a, b) => a - b);
  expect(faults).toEqual([]);
  const p99Ms = times[Math.floor(times.length * 0.99)];
  console.log(`${operations.length} operations, p99 ${p99Ms?.toFixed()} ms, memory ${(peak / megabyte).toFixed()} MB`);
  slowest.sort((a, b) => b.ms - a.ms);
  console.log(
    slowest
      .slice(0, 8)
      .map(({ name, ms }) => `${ms.toFixed()} ms beside ${name}`)
      .join('\n'),
  );
  expect(p99Ms).toBeLessThan(othersMs);
  expect(peak).toBeLessThan(maxMemory);
}, 400_000);
