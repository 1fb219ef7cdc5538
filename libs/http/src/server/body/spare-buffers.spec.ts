import { describe, expect, it } from '@jest/globals';
import { GrowingBytes } from './growing-bytes.js';
import { SpareBuffers } from './spare-buffers.js';

const kilobyte = 1024;

describe('SpareBuffers', () => {
  it('returns a released buffer to the next caller that needs its size', () => {
    const spares = new SpareBuffers(1_000 * kilobyte);
    const first = spares.take(100 * kilobyte);
    spares.release(first);

    expect(spares.take(90 * kilobyte)).toBe(first);
    expect(spares.take(90 * kilobyte)).not.toBe(first);
  });

  it('keeps at most `maxKeptBytes`', () => {
    const spares = new SpareBuffers(100 * kilobyte);
    const buffers = [64, 64].map((size) => spares.take(size * kilobyte));
    for (const buffer of buffers) spares.release(buffer);
    const again = [64, 64].map((size) => spares.take(size * kilobyte));

    expect(again.filter((buffer) => buffers.includes(buffer))).toHaveLength(1);
  });

  it('does not mix the bytes of two bodies', () => {
    const spares = new SpareBuffers(1_000 * kilobyte);
    const long = new GrowingBytes(16 * kilobyte, spares);
    for (let chunk = 0; chunk < 3; chunk++) long.append(Buffer.alloc(20 * kilobyte, 'a'));
    expect(long.view.equals(Buffer.alloc(60 * kilobyte, 'a'))).toBe(true);
    long.free();

    const short = new GrowingBytes(60 * kilobyte, spares);
    short.append(Buffer.from('b'));
    expect(short.view.toString()).toBe('b');
  });
});
