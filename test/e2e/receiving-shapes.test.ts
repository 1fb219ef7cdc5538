import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InboundProgram } from '../support/programs/inbound-program.js';
import { mimeShapes } from '../support/builders/mime-shapes.js';
import { SmtpDialogue } from '../support/clients/smtp-dialogue.js';

const shapes = mimeShapes();
const hostileInputs = 1_000;
const senders = 8;
let inbound: InboundProgram;

beforeAll(async () => {
  inbound = await InboundProgram.start();
});
afterAll(() => inbound.stop());

/** Sends one message over an open connection. Resolves to the reply. */
async function bring(client: SmtpDialogue, raw: Buffer): Promise<string> {
  const text = raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  const content = text.endsWith('\r\n') || text === '' ? text : `${text}\r\n`;
  return client.submit('ada@customer.test', 'support@acme.test', content);
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item, client: SmtpDialogue) => Promise<void>) {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: senders }, async () => {
      let client = await inbound.open();
      await client.ask('EHLO mx.customer.test');
      for (let next = rest.next(); next.done !== true; next = rest.next()) {
        await work(next.value, client);
        if (client.unread.includes('421')) {
          client.drop();
          client = await inbound.open();
          await client.ask('EHLO mx.customer.test');
        }
      }
      client.drop();
    }),
  );
}

it('more than two hundred shapes of mail are accepted, read, and downloaded byte for byte', async () => {
  expect(new Set(shapes.map(({ raw }) => raw.toString('latin1'))).size).toBeGreaterThanOrEqual(200);
  const wrong: string[] = [];
  await inTurns(shapes, async ({ name, raw, expected }, client) => {
    const reply = await bring(client, raw);
    const id = /OK: (\S+)/.exec(reply)?.[1] ?? '';
    if (id === '') return void wrong.push(`${name}: ${reply}`);
    const { status, body } = await inbound.get(`/emails/receiving/${id}`);
    const source = await inbound.download((body.raw as { download_url: string }).download_url);
    const sent =
      raw.length === 0 || raw.subarray(-2).toString() === '\r\n' ? raw : Buffer.concat([raw, Buffer.from('\r\n')]);
    if (status !== 200 || !source.subarray(-sent.length).equals(sent)) wrong.push(`${name}: not byte for byte`);
    const shown = { ...body, text: (body.text as string | undefined)?.trimEnd() };
    try {
      expect(shown).toMatchObject(expected);
    } catch (error) {
      wrong.push(`${name}: ${(error as Error).message}`);
    }
  });
  expect(wrong).toEqual([]);
}, 300_000);

/** The same numbers in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '--b\r\n',
    '--b--\r\n',
    '=?utf-8?b?',
    '?=',
    '<',
    '>',
    '"',
    '(',
    ')',
    '\\',
    ';',
    ':',
    '\0',
    '\xff',
    '\t',
  ],
  ...[
    'Content-Type: multipart/mixed; boundary=b\r\n',
    'Content-Type: message/rfc822\r\n',
    'Content-Transfer-Encoding: base64\r\n',
  ],
  ...[
    'DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=s; h=from; bh=x; b=y\r\n',
    'ARC-Seal: i=1; a=rsa-sha256; cv=none\r\n',
  ],
  ...[
    'Authentication-Results: mail.service.test',
    'References: <a@b>',
    'From: ',
    'Received: x\r\n',
    "filename*0*=utf-8''%",
    'a'.repeat(500),
  ],
] as const;

/** A shape that was cut, repeated and mixed with pieces that parsers stumble over. */
function hostileInput(index: number): Buffer {
  const below = random(index + 1);
  let text = (shapes[below(shapes.length)]?.raw ?? Buffer.alloc(0)).subarray(0, 20_000).toString('latin1');
  for (let change = below(12) + 1; change > 0; change--) {
    const at = below(text.length + 1);
    const piece = (pieces[below(pieces.length)] as string).repeat(below(4) === 0 ? below(200) + 1 : 1);
    text = below(3) === 0 ? text.slice(at) + text.slice(0, at) : text.slice(0, at) + piece + text.slice(at + below(10));
  }
  // Lone line breaks are refused at once, and have a test of their own.
  const lines = text.slice(0, 60_000).replace(/\r\n|\r|\n/g, '\r\n');
  return Buffer.from(lines, 'latin1');
}

it('a thousand hostile messages crash nothing, and cause no trouble of ours', async () => {
  const troubles: string[] = [];
  const kinds = new Map<string, number>();
  await inTurns(
    Array.from({ length: hostileInputs }, (_, index) => index),
    async (index, client) => {
      const reply = await bring(client, hostileInput(index));
      const code = reply.slice(0, 3);
      kinds.set(code, (kinds.get(code) ?? 0) + 1);
      if (!/^(?:250|55[024])/.test(reply)) troubles.push(`${index}: ${reply}`);
      const id = /OK: (\S+)/.exec(reply)?.[1];
      if (id === undefined) return;
      const { status } = await inbound.get(`/emails/receiving/${id}`);
      if (status !== 200) troubles.push(`${index}: GET ${status}`);
    },
  );
  expect(troubles).toEqual([]);
  expect(kinds.get('250')).toBeGreaterThan(hostileInputs / 2);
  const { data } = await inbound.resend.emails.receiving.list({ limit: 100 });
  expect(data?.data).toHaveLength(100);
}, 300_000);
