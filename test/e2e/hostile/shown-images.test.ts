import { randomBytes, randomUUID } from 'node:crypto';
import { connect, Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { calmMs } from '../../support/clients/bystanders.js';
import { closeAll } from '../../support/clients/raw-connections.js';
import { HostileProgram, startHostileProgram } from '../../support/programs/hostile-program.js';
import { testApiKey } from '../../support/programs/program.js';
import { stretched } from '../../support/runner/stretched.js';

const imageBytes = 12_800_000;
const readers = 60;

let hostile: HostileProgram;
let images: readonly string[];

beforeAll(async () => {
  hostile = await startHostileProgram();
  const teams = await hostile.query<{ id: string }>('SELECT id FROM teams');
  images = await Promise.all(teams.map(({ id }) => storedImage(id)));
});

afterAll(() => hostile.stop());

/** An image of the team. Returns its path. */
async function storedImage(teamId: string): Promise<string> {
  const id = randomUUID();
  await hostile.query(
    `INSERT INTO images (id, team_id, name, alt, type, width, height, size, created_at)
     VALUES ($1, $2, 'large', '', 'png', 10, 10, $3, now())`,
    [id, teamId, imageBytes],
  );
  await hostile.query('INSERT INTO image_files (image_id, bytes) VALUES ($1, $2)', [id, randomBytes(imageBytes)]);
  return `/i/${id}.png`;
}

/** Asks for an image, and reads no more of it than its first bytes. */
async function stall(path: string): Promise<Socket> {
  const socket = connect(hostile.program.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  return socket;
}

/** Adds an image with this key. Returns the duration in ms. */
async function upload(apiKey: string): Promise<number> {
  const image = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(image)]), 'quay.png');
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${hostile.program.url}/images`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return performance.now() - startedAt;
}

it('sixty slow readers of a public image do not stop uploads of its team or of others, nor other readers', async () => {
  const idle = (await hostile.during(async () => undefined)).peakMemory;
  const [path = '', other = ''] = images;
  const stalled: Socket[] = [];
  const calm = await hostile.during(async () => {
    stalled.push(...(await Promise.all(Array.from({ length: readers }, () => stall(path)))));
    const durations = [await upload(testApiKey), await upload(hostile.attackerKey)];
    for (const each of [path, other]) {
      const response = await fetch(hostile.program.url + each);
      expect((await response.arrayBuffer()).byteLength).toBe(imageBytes);
    }
    return durations;
  });
  closeAll(stalled);

  expect(Math.max(...calm.result)).toBeLessThan(stretched(5_000));
  expect(calm.failures).toEqual([]);
  expect(calm.slowestRequestMs).toBeLessThan(calmMs);
  expect(calm.slowestDeliveryMs).toBeLessThan(calmMs);
  expect(calm.peakMemory - idle).toBeLessThan(200 * 1024 * 1024);
});
