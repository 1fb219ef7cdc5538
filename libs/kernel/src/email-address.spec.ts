import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatMailbox, parseDomainName, parseEmailAddress, parseMailbox } from './email-address.js';

const breaks = /[\r\n\0\u2028\u2029]/;
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'<>@".,;:\\()[] \t\r\n\0aé.-_+'), maxLength: 40 }),
);
const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(?:\.[A-Za-z0-9_+-]{1,10}){0,2}$/);
const domain = fc.stringMatching(/^[a-z0-9]{1,20}(?:-[a-z0-9]{1,10})?\.(?:test|example|co\.uk)$/);
const address = fc.tuple(local, domain).map(([name, host]) => `${name}@${host}`);
const displayName = fc.stringMatching(/^[A-Za-zéü0-9",.()@:;\\ '&-]{0,40}$/);

describe('an email address', () => {
  it('is not changed where it is well formed', () => {
    fc.assert(fc.property(address, (text) => expect(parseEmailAddress(text)?.address).toBe(text)));
  });

  it('never contains a character that could end a header line or an SMTP command, for any input', () => {
    fc.assert(
      fc.property(anyText, anyText, domain, (before, after, host) => {
        for (const text of [before, `${before}@${host}`, `${before}@${after}`, `a@${before}`]) {
          const parsed = parseEmailAddress(text);
          if (parsed === undefined) continue;
          expect(parsed.address).not.toMatch(breaks);
          expect(parsed.address.length).toBeLessThanOrEqual(254);
          expect(parsed.domain).toMatch(/^[a-z0-9_.-]+$/);
          expect(parseEmailAddress(parsed.address)).toEqual(parsed);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('loses invisible characters around it, which come with copied text, and has none within', () => {
    for (const text of ['\u200ba@b.test', '\ufeffa@b.test\u00a0', '\u202aa@b.test\u202c', 'a@b.test\u200b']) {
      expect([text, parseEmailAddress(text)?.address]).toEqual([text, 'a@b.test']);
      expect([text, parseMailbox(`Ada <${text}>`)?.address]).toEqual([text, 'a@b.test']);
    }
    expect(parseMailbox('\u200bAda <a@b.test>\u200b')?.address).toBe('a@b.test');
    for (const text of ['a\u200bb@c.test', 'a\u00a0@b.test', 'a\u00adb@c.test', 'a\u3000@b.test']) {
      expect([text, parseEmailAddress(text)]).toEqual([text, undefined]);
    }
    expect(parseEmailAddress('jörg@b.test')?.address).toBe('jörg@b.test');
  });

  it.each([
    'a@b.test\r\nBcc: c@d.test',
    'a\n@b.test',
    'a@b\0.test',
    'a@[127.0.0.1]',
    'a@b',
    '@b.test',
    'a@',
    'a b@c.test',
  ])('is not read from %j', (text) => expect(parseEmailAddress(text)).toBeUndefined());
});

describe('a mailbox', () => {
  it('is the same after it is formatted and parsed again', () => {
    fc.assert(
      fc.property(displayName, address, (name, plain) => {
        const shown = formatMailbox({ ...(parseEmailAddress(plain) as never as object), name } as never);
        const read = parseMailbox(shown);
        expect(read?.address).toBe(plain);
        expect(read?.name ?? '').toBe(name.trim());
      }),
      { numRuns: 1_000 },
    );
  });

  it('contains no line break, whatever text it is parsed from', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, rest) => {
        for (const text of [name, `${name} <a@b.test>`, `"${name}" <a@b.test>`, `${name}<${rest}>`]) {
          const mailbox = parseMailbox(text);
          if (mailbox !== undefined) expect(formatMailbox(mailbox)).not.toMatch(breaks);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is parsed within two seconds from text that is written to be slow', () => {
    const started = performance.now();
    for (const text of [
      'a.'.repeat(500),
      '"\\'.repeat(500),
      '<'.repeat(1_000),
      `${'a'.repeat(990)}@`,
      '((('.repeat(300),
    ]) {
      parseMailbox(text);
      parseMailbox(`${text} <a@b.test>`);
      parseEmailAddress(`${text}@b.test`);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('a domain name', () => {
  it('does not change when it is parsed a second time', () => {
    fc.assert(
      fc.property(anyText, fc.domain(), (text, host) => {
        for (const candidate of [text, host, `${text}.test`, `${text}.${host}`]) {
          const parsed = parseDomainName(candidate);
          if (parsed !== undefined) expect(parseDomainName(parsed)).toBe(parsed);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('in any script becomes A-labels, and an IP address is no domain name', () => {
    expect(parseDomainName('BÜCHER.example')).toBe('xn--bcher-kva.example');
    expect(parseDomainName('例え.テスト')).toBe('xn--r8jz45g.xn--zckzah');
    expect(parseDomainName('1.2.3.4')).toBeUndefined();
  });
});
