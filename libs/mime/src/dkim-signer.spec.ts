import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { composeMessage } from './compose-message.js';
import { parseDkimKey } from './dkim-key.js';
import { dkimBodyHashOf, signMessage } from './dkim-signer.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const rsaKey = parseDkimKey({
  domain: 'sender.test',
  selector: 'rsa1',
  algorithm: 'rsa-sha256',
  privateKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const ed25519Key = parseDkimKey({
  domain: 'sender.test',
  selector: 'ed1',
  algorithm: 'ed25519-sha256',
  privateKey: ed25519.privateKey,
});

const records: Record<string, string> = {
  'rsa1._domainkey.sender.test': `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString('base64')}`,
  // The record has the 32 bytes of the key without ASN.1 (RFC 8463 section 4).
  'ed1._domainkey.sender.test': `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString('base64')}`,
};

describe('signMessage', () => {
  it('writes signatures into the room in front of a message, or into a new buffer where the room is too small', async () => {
    const timestamp = new Date('2026-01-01T00:00:00Z');
    const message = {
      from: { local: 'a', domain: 'sender.test', address: 'a@sender.test' },
      to: [],
      subject: 'x',
      date: timestamp,
      messageId: '<x@sender.test>',
      text: 'hello',
    };
    const keys = [rsaKey, ed25519Key];
    const signed = Buffer.from(await signMessage(composeMessage(message), keys, { timestamp }));
    for (const headRoom of [2_048, 100]) {
      const composed = composeMessage(message, headRoom);
      const inRoom = await signMessage(composed, keys, { timestamp, headRoom });

      expect(Buffer.from(inRoom).equals(signed)).toBe(true);
      expect(inRoom.buffer === composed.buffer && inRoom.byteOffset < composed.byteOffset).toBe(headRoom === 2_048);
    }
  });

  it.each([
    ['html and text', plain],
    ['a non-ASCII subject and name', () => composed({ subject: 'Grüße aus Köln 🎉', name: 'Jürgen Müller' })],
    ['long lines', () => composed({ text: `${'word '.repeat(600)}\n${'x'.repeat(3000)}` })],
    ['trailing spaces', () => composed({ text: 'a  b \t c   \n \n\t\nend  \n\n  \n' })],
    ['an empty body', () => composed({ text: '', html: undefined })],
    ['attachments', withAttachments],
    ['a large indented html', () => composed({ html: '<tr>\n    <td>\tcell </td>\n</tr>\n'.repeat(8000) })],
    ['a large body without line ends', () => bytes(`From: a@sender.test\r\n\r\n${'a  b'.repeat(60_000)}`)],
    ['headers only', () => bytes('From: a@sender.test\r\nSubject: x\r\n')],
    ['headers only, without a line end', () => bytes('From: a@sender.test\r\nSubject: x')],
    ['a body of empty lines', () => bytes('From: a@sender.test\r\n\r\n\r\n\r\n \r\n')],
    ['a body that does not end its line', () => bytes('From: a@sender.test\r\n\r\nabc ')],
    ['folded headers', () => bytes('From: \r\n a@sender.test\r\nTo: b@x.test,\r\n\t c@x.test \r\n\r\nx\r\n')],
    ['8-bit headers', () => bytes('From: \u00fc@sender.test\r\nSubject: \u00ff \u0080\r\n\r\nx\r\n')],
    [
      'repeated fields',
      () => bytes('To: a@x.test\r\nTo: b@x.test\r\nFROM : a@sender.test\r\nList-X: 1\r\nList-X: 2\r\n\r\nx\r\n'),
    ],
  ])('makes a signature that an independent verifier accepts, for %s', async (_, make) => {
    const message = make();

    const signed = await signMessage(message, [rsaKey, ed25519Key]);

    expect(await verify(signed)).toEqual(['rsa-sha256 pass', 'ed25519-sha256 pass']);
    expect(Buffer.from(signed).includes(Buffer.from(message))).toBe(true);
  });

  it('makes a signature that is invalid after one byte has changed', async () => {
    const signed = Buffer.from(await signMessage(plain(), [rsaKey, ed25519Key]));
    for (const text of ['Welcome', 'Hello', 'sender.test>']) {
      const tampered = Buffer.from(signed);
      const at = tampered.lastIndexOf(text);
      tampered[at] = (tampered[at] as number) ^ 1;

      expect(at).toBeGreaterThan(0);
      expect((await verify(tampered)).filter((result) => result.endsWith('pass'))).toEqual([]);
    }
  });

  it.each(['From: evil@x.test', 'Subject: evil', 'To: evil@x.test', 'Cc: evil@x.test', 'Reply-To: evil@x.test'])(
    'makes a signature that is invalid after "%s" was added',
    async (header) => {
      const signed = await signMessage(plain(), [rsaKey]);

      expect(await verify(Buffer.concat([bytes(`${header}\r\n`), signed]))).toEqual(['rsa-sha256 fail']);
    },
  );

  it('makes a valid signature for a body with any white space', async () => {
    const piece = fc.constantFrom(' ', '  ', '\t', '\r\n', '\r\n\r\n', 'a', 'bc', '=20', '.', '\r', '\n');
    const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('').replace(/\r(?!\n)|(?<!\r)\n/g, ''));
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const signed = await signMessage(bytes(`From: a@sender.test\r\n\r\n${text}`), [ed25519Key]);
        expect(await verify(signed)).toEqual(['ed25519-sha256 pass']);
      }),
      { numRuns: 150 },
    );
  });

  it('takes the body hash of an earlier message with the same body', async () => {
    const timestamp = new Date('2026-01-02T03:04:05.678Z');
    const first = plain();
    const second = Buffer.concat([bytes('X-Recipient: 2\r\n'), first]);

    const signed = await signMessage(second, [rsaKey], { timestamp, bodyHash: dkimBodyHashOf(first) });

    expect(Buffer.from(signed).equals(await signMessage(second, [rsaKey], { timestamp }))).toBe(true);
    expect(Buffer.from(signed).toString()).toContain('t=1767323045;');
  });

  it('writes lines of at most 78 columns and signs From twice', async () => {
    const signed = Buffer.from(await signMessage(plain(), [rsaKey, ed25519Key])).toString();
    const signature = signed.slice(0, signed.indexOf('\r\nFrom:'));

    expect(signature.split('\r\n').every((line) => line.length <= 78)).toBe(true);
    expect(signature).toContain('h=from:from:to:to:cc:');
    expect(signature).toMatch(/list-unsubscribe[:;]/);
  });

  it('rejects where a key cannot sign, and makes the signatures that began with it', async () => {
    const message = Buffer.from('From: a@sender.test\r\n\r\nHi\r\n');
    const broken = { ...rsaKey, privateKey: rsa.publicKey };
    const [one, other] = await Promise.allSettled([signMessage(message, [broken]), signMessage(message, [rsaKey])]);
    expect([one.status, other.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('returns the message itself when there is no key', async () => {
    const message = plain();
    expect(await signMessage(message, [])).toBe(message);
  });
});

describe('parseDkimKey', () => {
  it.each([
    ['the algorithm is not that of the key', { algorithm: 'ed25519-sha256' as const }],
    ['the domain is not one', { domain: 'sender test' }],
    ['the selector would break the header', { selector: 'a; d=other.test' }],
    ['the key is public', { privateKey: rsa.publicKey }],
  ])('refuses a key when %s', (_, wrong) => {
    const key = { domain: 'sender.test', selector: 's', algorithm: 'rsa-sha256' as const, privateKey: rsa.privateKey };
    expect(() => parseDkimKey({ ...key, ...wrong })).toThrow(/DKIM/);
  });
});

function plain(): Uint8Array {
  return composed({});
}

function withAttachments(): Uint8Array {
  return composed({
    attachments: [{ filename: 'a.bin', contentType: 'image/png', content: Buffer.alloc(200_000, 7) }],
  });
}

function composed(fields: {
  subject?: string;
  name?: string;
  text?: string;
  html?: string;
  attachments?: { filename: string; contentType: string; content: Uint8Array }[];
}): Uint8Array {
  const { name, ...rest } = fields;
  return composeMessage({
    from: { local: 'news', domain: 'sender.test', address: 'news@sender.test', name: name ?? 'Sender' },
    to: [{ local: 'ann', domain: 'x.test', address: 'ann@x.test' }],
    subject: 'Welcome',
    date: new Date('2026-01-02T03:04:05Z'),
    messageId: '<1@sender.test>',
    headers: [['List-Unsubscribe', `<https://x.test/u?${'t'.repeat(80)}>, <mailto:u@sender.test>`]],
    html: '<p>Hello</p>',
    text: 'Hello',
    ...rest,
  });
}

async function verify(message: Uint8Array): Promise<string[]> {
  const resolver = async (name: string) => [[records[name] ?? '']];
  const { results } = await dkimVerify(Buffer.from(message), { resolver });
  return results.map((result) => `${(result as { algo?: string }).algo} ${result.status.result}`);
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}
