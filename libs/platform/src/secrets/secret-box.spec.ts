import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const secret = (): string => randomBytes(32).toString('base64');

describe('SecretBox', () => {
  it('opens what it sealed, and only under the same context', () => {
    const box = new SecretBox(secret());
    const sealed = box.seal('private', 'row 1');

    expect(box.open(sealed, 'row 1')).toBe('private');
    expect(() => box.open(sealed, 'row 2')).toThrow();
    expect(sealed.includes('private')).toBe(false);
  });

  it('opens what an earlier secret sealed, and seals with the present one', () => {
    const [earlier, present] = [secret(), secret()];
    const sealed = new SecretBox(earlier).seal('private', 'row');
    const box = new SecretBox(present, [earlier]);

    expect(box.open(sealed, 'row')).toBe('private');
    expect(box.isCurrent(sealed)).toBe(false);
    const again = box.seal('private', 'row');
    expect(box.isCurrent(again)).toBe(true);
    expect(new SecretBox(present).open(again, 'row')).toBe('private');
  });

  it('tells a secret that it does not know from damage', () => {
    const sealed = new SecretBox(secret()).seal('private', 'row');

    expect(() => new SecretBox(secret()).open(sealed, 'row')).toThrow(/another SECRET_KEY/);
  });

  it('verifies what an earlier secret signed, for the same purpose only', () => {
    const [earlier, present] = [secret(), secret()];
    const signature = new SecretBox(earlier).sign('purpose', 'text');
    const box = new SecretBox(present, [earlier]);

    expect(box.verify('purpose', 'text', signature)).toBe(true);
    expect(box.verify('other purpose', 'text', signature)).toBe(false);
    expect(new SecretBox(present).verify('purpose', 'text', signature)).toBe(false);
  });
});
