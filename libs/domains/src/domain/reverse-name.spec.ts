import { expect, it } from '@jest/globals';
import { reverseName } from './reverse-name.js';

const zeros = (count: number): string => '0.'.repeat(count);

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::1', `1.${zeros(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ['2001:DB8::1%eth0', `1.${zeros(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ['::ffff:192.0.2.1', `1.0.2.0.0.0.0.c.f.f.f.f.${zeros(20)}ip6.arpa`],
])('the reverse name of %s', (address, name) => expect(reverseName(address)).toBe(name));

it.each(['', 'host.test', '192.0.2', '192.0.2.256', '0x7f.0.0.1', '1:2', '::1]/x[', '[::1]', '::1 '])(
  '%j is no address',
  (text) => expect(reverseName(text)).toBeUndefined(),
);
