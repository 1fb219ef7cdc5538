import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BareLineBreakError, InspectedContent } from './arriving-content.js';

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
