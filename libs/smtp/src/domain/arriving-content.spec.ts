import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BareLineBreakError, DotStuffing, GatheredBytes, InspectedContent } from './arriving-content.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The content of the chunks, and the bytes after its end. */
function unstuffed(chunks: readonly Buffer[]): { content: string; rest: string | undefined } {
  const stuffing = new DotStuffing();
  let content = '';
  for (const [index, chunk] of chunks.entries()) {
    const part = stuffing.push(chunk);
    content += part.content.toString('latin1');
    if (part.rest === undefined) continue;
    return { content, rest: Buffer.concat([part.rest, ...chunks.slice(index + 1)]).toString('latin1') };
  }
  return { content, rest: undefined };
}

const inOne = (text: string): ReturnType<typeof unstuffed> => unstuffed([bytes(text)]);
const byteByByte = (text: string): ReturnType<typeof unstuffed> => unstuffed([...bytes(text)].map((b) => Buffer.of(b)));

describe('the content of DATA', () => {
  it.each([
    ['.\r\nQUIT\r\n', '', 'QUIT\r\n'],
    ['Hello\r\n.\r\n', 'Hello\r\n', ''],
    ['..\r\n.\r\n', '.\r\n', ''],
    ['...two\r\n.\r\n', '..two\r\n', ''],
    ['.one\r\n.\r\n', 'one\r\n', ''],
    ['a\r\n..\r\n.\r\nRSET', 'a\r\n.\r\n', 'RSET'],
    ['a.b.\r\n.\r\n', 'a.b.\r\n', ''],
    ['.\r.\r\nx', '\r.\r\nx', undefined],
    ['.\r\r\n.\r\n', '\r\r\n', ''],
    ['a\n.\r\n', 'a\n.\r\n', undefined],
    ['a\r.\r\n', 'a\r.\r\n', undefined],
    ['a\n..\r\nb', 'a\n..\r\nb', undefined],
    ['a\r\n.\n', 'a\r\n\n', undefined],
    ['\r\n.\r\n', '\r\n', ''],
  ])('%j is %j, followed by %j', (given, content, rest) => {
    expect(inOne(given)).toEqual({ content, rest });
    expect(byteByByte(given)).toEqual({ content, rest });
  });

  it('is restored exactly, however it is cut into chunks', () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom('.', 'a', ' ', '\t'), maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(60), { maxLength: 6 }), (given, cuts) => {
        const content = given.map((line) => `${line}\r\n`).join('');
        const sent = bytes(`${content.replace(/^\./gm, '..')}.\r\nNOOP\r\n`);
        const ends = [...cuts.filter((cut) => cut < sent.length).sort((a, b) => a - b), sent.length];
        const chunks = ends.map((end, index) => sent.subarray(ends[index - 1] ?? 0, end));
        expect(unstuffed(chunks)).toEqual({ content, rest: 'NOOP\r\n' });
      }),
    );
  });

  it('is read the same however it is cut into chunks', () => {
    const text = fc.string({ unit: fc.constantFrom('.', '\r', '\n', '\r\n', 'a'), maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(20), (given, cut) => {
        const whole = bytes(given);
        expect(unstuffed([whole.subarray(0, cut), whole.subarray(cut)])).toEqual(byteByByte(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is passed on without a copy if no line begins with a dot', () => {
    const chunk = bytes('Hello\r\nWorld.\r\n');
    expect(new DotStuffing().push(chunk).content).toBe(chunk);
  });

  it('with only doubled dots is read quickly', () => {
    const stuffing = new DotStuffing();
    const chunk = Buffer.alloc(65_536, '..\r\n');
    const { user: before } = process.cpuUsage();
    let length = 0;
    for (let sent = 0; sent < 8 << 20; sent += chunk.length) length += stuffing.push(chunk).content.length;
    expect(length).toBe(6 << 20);
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(1_000);
  });
});

function gathered(chunks: readonly Uint8Array[]): Uint8Array[] {
  const bytes = new GatheredBytes();
  return [...chunks.flatMap((chunk) => [...bytes.add(chunk)]), ...bytes.rest()];
}

it('single bytes are passed on in blocks', () => {
  const blocks = gathered(Array.from({ length: 100_000 }, (_, at) => Uint8Array.of(at & 0xff)));
  expect(blocks.length).toBeLessThan(10);
});

it('large chunks are passed on as they are', () => {
  const large = new Uint8Array(4_096);
  expect(gathered([large, large])).toEqual([large, large]);
  expect(gathered([large])[0]).toBe(large);
});

it('no byte is lost or moved', () => {
  const chunk = fc.nat(9_000).map((length) => Buffer.alloc(length, 'abcdefg'));
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
      expect(Buffer.concat(gathered(chunks)).equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});

async function read(chunks: readonly Uint8Array[]): Promise<string> {
  async function* source() {
    yield* chunks;
  }
  const content = new InspectedContent(source(), { bytes: 10_000, exceeded: () => new RangeError('too large') });
  const pieces: Uint8Array[] = [];
  await content.header();
  for await (const piece of content.all()) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

it('the content of a message has no bare CR or LF, however it is cut into chunks', async () => {
  const unit = fc.constantFrom('\r\n', '\r\n', '\r', '\n', 'a', 'a line of ordinary text', 'x'.repeat(200));
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit, maxLength: 12 }),
      fc.array(fc.nat(300), { maxLength: 4 }),
      async (text, cuts) => {
        const bytes = Buffer.from(text, 'latin1');
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        if (/(?<!\r)\n|\r(?!\n)/.test(text)) await expect(read(chunks)).rejects.toThrow(BareLineBreakError);
        else expect(await read(chunks)).toBe(text);
      },
    ),
    { numRuns: 1_000 },
  );
});

it('a message beyond its limit is refused while it arrives', async () => {
  await expect(read([Buffer.alloc(10_001, 'x')])).rejects.toThrow('too large');
});
