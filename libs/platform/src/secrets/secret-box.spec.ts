import { expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const box = new SecretBox(Buffer.alloc(32, 1).toString('base64'));

it('opens what it sealed, and seals the same text differently each time', () => {
  const sealed = box.seal('a private key', 'key-1');
  expect(box.open(sealed, 'key-1')).toBe('a private key');
  expect(sealed.includes('a private key')).toBe(false);
  expect(box.seal('a private key', 'key-1').equals(sealed)).toBe(false);
});

it('opens nothing that was sealed for something else, damaged, or sealed under another secret', () => {
  const sealed = box.seal('a private key', 'key-1');
  expect(() => box.open(sealed, 'key-2')).toThrow();
  const damaged = Buffer.from(sealed);
  damaged[damaged.length - 1] = (damaged[damaged.length - 1] ?? 0) ^ 1;
  expect(() => box.open(damaged, 'key-1')).toThrow();
  const other = new SecretBox('ab'.repeat(32));
  expect(() => other.open(sealed, 'key-1')).toThrow(/another SECRET_KEY/);
});

it('verifies a signature only for its purpose and text', () => {
  const signature = box.sign('download', 'attachment-1');
  expect(box.verify('download', 'attachment-1', signature)).toBe(true);
  expect(box.verify('inbox', 'attachment-1', signature)).toBe(false);
  expect(box.verify('download', 'attachment-2', signature)).toBe(false);
  expect(box.verify('download', 'attachment-1', '')).toBe(false);
});
