import { describe, expect, it } from '@jest/globals';
import { parseSpf } from './spf-record.js';

describe('an SPF record', () => {
  it('is parsed term by term', () => {
    const record = parseSpf('v=spf1 -A:mail.Example.test./24//64 ip6:2001:db8::/32 ?mx//64 redirect=_spf.x.test');
    expect(record).toEqual({
      mechanisms: [
        { qualifier: '-', name: 'a', value: 'mail.example.test', prefix: '/24//64' },
        { qualifier: '+', name: 'ip6', value: '2001:db8::', prefix: '/32' },
        { qualifier: '?', name: 'mx', value: '', prefix: '//64' },
      ],
      redirect: '_spf.x.test',
    });
  });

  it.each(['a:', 'all:x', 'all/24', 'include', 'ip4', 'a:x/1234', 'a:x/24/24', 'a:x/', 'x', '+', '=x', 'redirect='])(
    'with the term %j is a permanent error',
    (term) => expect(parseSpf(`v=spf1 ${term} -all`)).toBeUndefined(),
  );

  it('of 4,096 characters and 300 terms is parsed, a larger one is refused', () => {
    expect(parseSpf(`v=spf1 ${'a '.repeat(300)}`)?.mechanisms).toHaveLength(300);
    expect(parseSpf(`v=spf1 ${'a '.repeat(301)}`)).toBeUndefined();
    expect(parseSpf(`v=spf1 a:${'x'.repeat(4_087)}`)?.mechanisms).toHaveLength(1);
    expect(parseSpf(`v=spf1 a:${'x'.repeat(4_088)}`)).toBeUndefined();
  });

  it.each(['a:', 'a://', 'ip6:', '', '+', '/', 'a/1'])('of %j and thousands of colons is parsed quickly', (start) => {
    const started = performance.now();
    // Guards against a parser that backtracks.
    parseSpf(`v=spf1 ${start}${':'.repeat(4_000)}/x -all`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
