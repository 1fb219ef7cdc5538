import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspectHeader } from './arrived-message.parser.js';

const header = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');

describe('the first look at a header', () => {
  it('counts what a decision needs', () => {
    const bytes = header(
      'Received: a',
      ' b',
      'RECEIVED : c',
      'From: x',
      'DKIM-Signature: d',
      'arc-seal: e',
      'no field',
    );
    expect(inspectHeader(bytes, 'mail.test')).toMatchObject({ hops: 2, authors: 1, signatures: 2, kept: bytes });
  });

  it('cuts forged results with their continuation lines, and nothing else', () => {
    const bytes = header(
      'Subject: \xe9',
      'Authentication-Results:',
      '\tmail.test;',
      ' spf=pass',
      'To: x',
      'authentication-results: other.test',
    );
    const { kept } = inspectHeader(bytes, 'mail.test');
    expect(Buffer.from(kept)).toEqual(header('Subject: \xe9', 'To: x', 'authentication-results: other.test'));
  });

  it('keeps every byte of a header without forged results', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', ':', ' ', '\t', '\r\n', '\xff', 'Received') })),
        (parts) => {
          const bytes = Buffer.from(parts.join(''), 'latin1');
          expect(inspectHeader(bytes, 'mail.test').kept).toBe(bytes);
        },
      ),
    );
  });
});
