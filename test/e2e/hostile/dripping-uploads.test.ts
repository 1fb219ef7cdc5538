import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { calmMs } from '../../support/clients/bystanders.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey, testSender } from '../../support/programs/program.js';
import { closeAll, openConnections } from '../../support/clients/raw-connections.js';
import { until } from '../../support/runner/until.js';
import { stretched } from '../../support/runner/stretched.js';

const mebibyte = 1024 * 1024;

let hostile: HostileProgram;
let keys: readonly string[];

beforeAll(async () => {
  hostile = await startHostileProgram();
  keys = await Promise.all(Array.from({ length: 20 }, addTeam));
});

afterAll(() => hostile.stop());

async function addTeam(): Promise<string> {
  const teamId = randomUUID();
  const key = `re_drip_${teamId.replaceAll('-', '')}`;
  await hostile.query(`INSERT INTO teams VALUES ($1, 'Drip', now())`, [teamId]);
  await hostile.query(
    `INSERT INTO api_keys (id, team_id, name, permission, token_hash, created_at)
     VALUES ($1, $2, 'Key', 'full_access', $3, now())`,
    [randomUUID(), teamId, createHash('sha256').update(key).digest()],
  );
  return key;
}

const head = (key: string, path: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n');

/** Sends a large email as another customer. Returns the duration in ms. */
async function sendLarge(bytes: number): Promise<number> {
  return (await sentLarge(bytes)).ms;
}

async function sentLarge(bytes: number): Promise<{ readonly id: string; readonly ms: number }> {
  const content = Buffer.alloc(bytes, 7).toString('base64');
  const body = JSON.stringify({
    from: testSender,
    to: 'large@good.test',
    subject: 'Large',
    text: 'x',
    attachments: [{ filename: 'a.bin', content }],
  });
  const startedAt = performance.now();
  const response = await fetch(`${hostile.program.url}/emails`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(200);
  const { id } = (await response.json()) as { id: string };
  return { id, ms: performance.now() - startedAt };
}

/** Reads it to its end. */
async function sourceOf(emailId: string): Promise<Response> {
  const headers = { authorization: `Bearer ${testApiKey}` };
  const response = await fetch(`${hostile.program.url}/emails/${emailId}/raw`, { headers });
  await response.arrayBuffer();
  return response;
}

/** Adds an image as another customer. Returns the status. */
async function addImage(): Promise<number> {
  const headers = { authorization: `Bearer ${testApiKey}` };
  const image = sharp({ create: { width: 800, height: 600, channels: 3, background: '#246' } });
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await image.png().toBuffer())]), 'quay.png');
  const { status } = await fetch(`${hostile.program.url}/images`, { method: 'POST', headers, body });
  return status;
}

/** Adds an image as another customer, and reads the source of an email. Returns the duration in ms. */
async function addImageAndRead(emailId: string): Promise<number> {
  const startedAt = performance.now();
  expect(await addImage()).toBe(201);
  expect((await sourceOf(emailId)).status).toBe(200);
  return performance.now() - startedAt;
}

it.each([
  ['announce 170 MB and send nothing', [`Content-Length: ${170 * mebibyte}`], ''],
  ['announce 170 MB and send a little', [`Content-Length: ${170 * mebibyte}`], `{"a":"${'x'.repeat(200_000)}`],
  ['announce nothing and send a little', ['Transfer-Encoding: chunked'], `30d40\r\n{"a":"${'x'.repeat(199_994)}\r\n`],
])(
  'a hundred uploads of twenty teams that %s do not stop others from sending large mail',
  async (_, headers, start) => {
    const sockets = await openConnections(
      hostile.program.port,
      100,
      (index) => head(keys[index % keys.length] as string, '/emails', ...headers) + start,
    );
    const calm = await hostile.during(async () => [await sendLarge(2 * mebibyte), await sendLarge(6 * mebibyte)]);
    closeAll(sockets);

    // Without its own share it would wait until the others time out, after 20 seconds at the earliest.
    expect(Math.max(...calm.result)).toBeLessThan(stretched(15_000));
    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
    expect(calm.peakMemory).toBeLessThan(500 * mebibyte);
  },
);

/** Forty connections on which a part of an image arrives. */
function startImages(teams: number, megabytes: number): ReturnType<typeof openConnections> {
  const headers = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${9.5 * mebibyte}`];
  const start =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n' + 'x'.repeat(megabytes * mebibyte);
  return openConnections(
    hostile.program.port,
    40,
    (index) => head(keys[index % teams] as string, '/images', ...headers) + start,
  );
}

it.each([
  [20, 0.2],
  [5, 8],
])(
  'forty images of %d teams, of which %d MB arrive, do not stop others from adding images and reading large mail',
  async (teams, megabytes) => {
    const { id } = await sentLarge(6 * mebibyte);
    await until(async () => (await sourceOf(id)).ok);
    const sockets = await startImages(teams, megabytes);
    const calm = await hostile.during(async () => [await addImageAndRead(id), await addImageAndRead(id)]);
    closeAll(sockets);

    expect(Math.max(...calm.result)).toBeLessThan(stretched(5_000));
    expect(calm.failures).toEqual([]);
    expect(calm.slowestRequestMs).toBeLessThan(calmMs);
    expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
    expect(calm.peakMemory).toBeLessThan(600 * mebibyte);
  },
);

it('all room for bodies, filled by images of twenty teams that stall, is free again half a minute later', async () => {
  const sockets = await startImages(20, 8);
  const calm = await hostile.during(() => until(async () => (await addImage()) === 201, 40_000));
  closeAll(sockets);

  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
});
