import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InMemoryDeliveryTransport } from '#delivery';
import fc from 'fast-check';
import { heapInUse } from '../support/runner/heap.js';
import { MalformedRequest, malformedRequest } from '../support/described/malformed-requests.js';
import { testApiKey } from '../support/programs/program.js';
import { RecordingProgram, startRecordingProgram } from '../support/programs/recording-program.js';

const count = 5_000;
const chunk = 250;
const seed = 20261121;
const allowedGrowth = 24 * 1024 * 1024;

let program: RecordingProgram;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  program = await startRecordingProgram({}, undefined, undefined, new ForgetfulTransport());
});

afterAll(async () => {
  agent.destroy();
  await program.stop();
});

/** Keeps no messages: some of the requests are valid emails by accident. */
class ForgetfulTransport extends InMemoryDeliveryTransport {
  override async deliver(...parameters: Parameters<InMemoryDeliveryTransport['deliver']>) {
    const outcomes = await super.deliver(...parameters);
    this.delivered.length = 0;
    return outcomes;
  }
}

function exchange({ method, path, headers, body }: MalformedRequest): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, port: program.port, host: '127.0.0.1', method, path }, (response) => {
      let received = '';
      response.setEncoding('utf8');
      response.on('data', (data: string) => (received += data));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: received }));
    });
    outgoing.on('error', reject);
    outgoing.setHeader('authorization', `Bearer ${testApiKey}`);
    for (const line of headers) {
      const colon = line.indexOf(':');
      outgoing.setHeader(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    outgoing.end(body);
  });
}

async function fault(malformed: MalformedRequest): Promise<unknown> {
  const response = await exchange(malformed);
  if (response.status === 417 || response.status < 400) return undefined;
  const { statusCode, name, message } = JSON.parse(response.body) as Record<string, unknown>;
  const isWellFormed = statusCode === response.status && typeof name === 'string' && typeof message === 'string';
  return response.status < 500 && isWellFormed ? undefined : { malformed, response };
}

it('5,000 malformed requests cause no server error, and leave nothing in memory', async () => {
  const faults: unknown[] = [];
  let baseline = Infinity;
  for (let done = 0; done < count; done += chunk) {
    const requests = fc.sample(malformedRequest, { numRuns: chunk, seed: seed + done });
    const found = await Promise.all(requests.map(fault));
    faults.push(...found.filter((each) => each !== undefined));
    if (done === count / 2 - chunk) baseline = heapInUse();
  }

  expect(faults.slice(0, 5)).toEqual([]);
  expect(heapInUse() - baseline).toBeLessThan(allowedGrowth);
  expect((await program.request('/healthz')).status).toBe(200);
}, 600_000);
