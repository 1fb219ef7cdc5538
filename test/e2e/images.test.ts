import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { Database } from '#postgres/database';
import { Purges } from '#postgres/retention';
import { startProgram, testApiKey, TestProgram } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import type { ParsedJson } from '../support/runner/parsed-json.js';

let program: TestProgram;

beforeAll(async () => {
  // One test removes what is old, which the worker does.
  program = await startProgram(inOneProcess);
});

afterAll(() => program.stop());

async function call(method: string, path: string, body?: unknown, apiKey = testApiKey) {
  const response = await fetch(`${program.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

async function upload(bytes: Uint8Array, { filename = 'quay.png', fields = {}, apiKey = testApiKey } = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), filename);
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${program.url}/images`, { method: 'POST', headers, body: form });
  return { status: response.status, json: (await response.json()) as ParsedJson };
}

/** Smooth shades, as of a photo, so that they compress like one. */
function shades(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < pixels.length; at++) pixels[at] = ((at / channels) % width) / 8 + at / (width * 60);
  return sharp(pixels, { raw: { width, height, channels } });
}

const shown = (url: unknown): Promise<Response> => fetch(program.url + new URL(String(url)).pathname);

describe('an image', () => {
  it('is stored smaller, without its metadata, and shown to everybody for a year', async () => {
    const photo = await shades(2_400, 1_600)
      .withExif({ IFD0: { Copyright: 'Secret place' } })
      .jpeg()
      .toBuffer();
    expect(photo.includes('Secret place')).toBe(true);
    const { status, json } = await upload(photo, { filename: 'C:\\pictures\\quay.jpg', fields: { alt: 'The quay' } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ object: 'image', name: 'quay.jpg', alt: 'The quay', width: 1_800, height: 1_200 });
    const response = await shown(json.url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(json.size);
    expect(bytes.includes('Secret place')).toBe(false);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1_800, height: 1_200 });
  });

  it.each([
    ['png', 'png'],
    ['webp', 'png'],
    ['avif', 'png'],
    ['jpeg', 'jpeg'],
  ] as const)('of the type %s is stored as %s', async (given, stored) => {
    const { json } = await upload(await shades(64, 48).toFormat(given).toBuffer());
    const { format, width, height } = await sharp(Buffer.from(await (await shown(json.url)).arrayBuffer())).metadata();
    expect({ format, width, height }).toEqual({ format: stored, width: 64, height: 48 });
  });

  it('that moves goes on moving', async () => {
    const frames = Buffer.alloc(40 * 40 * 3 * 3, 90).fill(200, 40 * 40 * 3, 40 * 40 * 6);
    const gif = await sharp(frames, { raw: { width: 40, height: 120, channels: 3, pageHeight: 40 } })
      .gif()
      .toBuffer();
    const { json } = await upload(gif, { filename: 'moving.gif' });
    expect(json).toMatchObject({ width: 40, height: 40 });
    const bytes = Buffer.from(await (await shown(json.url)).arrayBuffer());
    expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ format: 'gif', pages: 3 });
  });

  it('is found by its name and alt text, described, and removed; mail goes on showing it', async () => {
    const { json } = await upload(await shades(8, 8).png().toBuffer(), { filename: '100%_harbour.png' });
    const found = async (search: string): Promise<unknown[]> =>
      ((await call('GET', `/images?search=${encodeURIComponent(search)}`)).json.data as readonly { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await found('HARBOUR')).toEqual([json.id]);
    expect(await found('%_h')).toEqual([json.id]);
    expect(await found('_harbou_')).toEqual([]);
    const described = await call('PATCH', `/images/${json.id}`, { alt: 'Ships at night' });
    expect(described.json).toMatchObject({ id: json.id, alt: 'Ships at night', name: '100%_harbour.png' });
    expect(await found('ships')).toEqual([json.id]);
    expect((await call('DELETE', `/images/${json.id}`)).json).toEqual({ object: 'image', id: json.id, deleted: true });
    expect((await call('GET', `/images/${json.id}`)).status).toBe(404);
    expect(await found('ships')).toEqual([]);
    expect((await shown(json.url)).status).toBe(200);
  });

  it('of another team is not found', async () => {
    const { json } = await upload(await shades(8, 8).png().toBuffer());
    const { apiKey } = await addSecondTeam(program.postrider.app);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { alt: 'x' } : undefined;
      expect((await call(method, `/images/${json.id}`, body, apiKey)).status).toBe(404);
    }
    expect((await call('GET', '/images', undefined, apiKey)).json.data).toEqual([]);
  });

  it('that was removed is purged once nothing names it, and not before', async () => {
    const [kept, below, unused] = [
      await upload(await shades(8, 8).png().toBuffer()),
      await upload(await shades(10, 10).png().toBuffer()),
      await upload(await shades(9, 9).png().toBuffer()),
    ];
    // A proxy may put a path of its own before that of images, even the same.
    const urls = [String(kept.json.url), String(below.json.url).replace('/i/', '/i/i/')];
    const html = urls.map((url) => `<img src="${url}" alt="">`).join('');
    await call('POST', '/templates', { name: 'With an image', html });
    for (const { json } of [kept, below, unused]) await call('DELETE', `/images/${json.id}`);
    const purge = async (cutoff: Date): Promise<void> => {
      for (const each of program.postrider.app.get(Purges).all) await each.removeOld({ now: new Date(), cutoff });
    };
    await purge(new Date(Date.now() - 60_000));
    expect((await shown(unused.json.url)).status).toBe(200);
    await purge(new Date(Date.now() + 60_000));
    expect((await shown(unused.json.url)).status).toBe(404);
    expect((await shown(kept.json.url)).status).toBe(200);
    expect((await shown(below.json.url)).status).toBe(200);
    const database = program.postrider.app.get(Database);
    const rows = await database.query({
      text: 'SELECT FROM image_files WHERE image_id = $1',
      values: [unused.json.id],
    });
    expect(rows).toEqual([]);
  });
});

describe('a file', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const polyglot = async (): Promise<Buffer> =>
    Buffer.concat([await shades(16, 16).png().toBuffer(), Buffer.from('<script>alert(1)</script>')]);

  it.each([
    ['SVG', svg, 'is SVG or HTML, which may run programs'],
    ['HTML', Buffer.from('  <!doctype html><p>Hello'), 'is SVG or HTML, which may run programs'],
    ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), 'is no image'],
    ['a head without an image', Buffer.from('GIF89a<script>alert(1)</script>'), 'is damaged'],
  ])('that is %s is refused', async (_, bytes, why) => {
    const { status, json } = await upload(bytes);
    expect(status).toBe(422);
    expect(json).toMatchObject({ name: 'validation_error' });
    expect(json.message).toContain(`The \`file\` ${why}.`);
  });

  it('that has millions of pixels in a few kilobytes is refused without being decoded', async () => {
    const create = { width: 20_000, height: 20_000, channels: 3 as const, background: 'red' };
    const bomb = await sharp({ create, limitInputPixels: false }).png().toBuffer();
    expect((await upload(bomb)).json.message).toContain('has more than 40 million pixels');
  });

  it('that is an image and a program is stored as an image alone', async () => {
    const { json } = await upload(await polyglot());
    expect(Buffer.from(await (await shown(json.url)).arrayBuffer()).includes('<script>')).toBe(false);
  });

  it('that is too large, missing, or no form is refused', async () => {
    const large = await upload(new Uint8Array(10 * 1024 * 1024 + 1));
    expect(large.status).toBe(413);
    expect((await call('POST', '/images', { file: 'x' })).status).toBe(422);
    expect((await upload(new Uint8Array())).json).toMatchObject({ name: 'missing_required_field' });
  });
});

describe('pictures that the service draws', () => {
  it('are the signs of networks, in three looks', async () => {
    for (const look of ['brand', 'dark', 'light']) {
      const response = await fetch(`${program.url}/editor/icons/github-${look}.png`);
      expect(response.status).toBe(200);
      expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
        format: 'png',
        width: 128,
      });
    }
    for (const name of ['github-pink.png', 'nobody-dark.png', 'github-dark.svg', '__proto__-dark.png']) {
      expect((await fetch(`${program.url}/editor/icons/${name}`)).status).toBe(404);
    }
  });

  it('are illustrations in the colors that the service has', async () => {
    const { illustrations } = (await (
      await fetch(`${program.url}/editor/styles`, { headers: { authorization: `Bearer ${testApiKey}` } })
    ).json()) as { illustrations: string };
    const { pathname } = new URL(illustrations);
    const response = await fetch(`${program.url}${pathname}hills-teal.png`);
    expect(response.headers.get('cache-control')).toContain('max-age=31536000');
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
    });
    for (const name of ['hills-pinkish.png', 'nothing-teal.png', 'hills-teal.svg', '__proto__-teal.png']) {
      expect((await fetch(`${program.url}${pathname}${name}`)).status).toBe(404);
    }
  });

  it('are countdowns that a document has, and no others', async () => {
    const content = {
      type: 'doc',
      content: [{ type: 'countdown', attrs: { until: '2090-01-01T00:00:00Z', background: '#102030', language: 'ja' } }],
    };
    const { json } = await call('POST', '/editor/render', { content });
    const [, path = ''] = /src="[^"]*(\/editor\/countdown\/[^"]+)"/.exec(String(json.html)) ?? [];
    const response = await fetch(program.url + path);
    expect(`${path} ${response.status}`).toBe(`${path} 200`);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect({ width, height }).toEqual({ width: 720, height: 200 });
    expect((await fetch(program.url + path.replace('102030', '102031'))).status).toBe(404);
  });
});
