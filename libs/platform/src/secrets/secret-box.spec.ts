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

it('a short MAC is valid only for its purpose and bytes, with any known secret', () => {
  const [earlier, present] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const bytes = Buffer.from('token');
  const mac = new SecretBox(earlier).mac('link', bytes, 10);
  const rotated = new SecretBox(present, [earlier]);

  expect(mac).toHaveLength(10);
  expect(rotated.verifyMac('link', bytes, mac)).toBe(true);
  expect(rotated.verifyMac('pixel', bytes, mac)).toBe(false);
  expect(rotated.verifyMac('link', Buffer.from('tokem'), mac)).toBe(false);
  expect(rotated.verifyMac('link', bytes, mac.subarray(0, 9))).toBe(false);
  expect(new SecretBox(present).verifyMac('link', bytes, mac)).toBe(false);
});

it('opens what an earlier secret sealed, and seals with the present one', () => {
  const [earlier, present] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const sealed = new SecretBox(earlier).seal('private', 'row');
  const rotated = new SecretBox(present, [earlier]);

  expect(rotated.open(sealed, 'row')).toBe('private');
  expect(rotated.isCurrent(sealed)).toBe(false);
  const again = rotated.seal('private', 'row');
  expect(rotated.isCurrent(again)).toBe(true);
  expect(new SecretBox(present).open(again, 'row')).toBe('private');
});

it('verifies what an earlier secret signed', () => {
  const [earlier, present] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const signature = new SecretBox(earlier).sign('purpose', 'text');

  expect(new SecretBox(present, [earlier]).verify('purpose', 'text', signature)).toBe(true);
  expect(new SecretBox(present).verify('purpose', 'text', signature)).toBe(false);
});
