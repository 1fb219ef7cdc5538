import { expect, it } from '@jest/globals';
import { pastedAddresses } from './pasted-addresses.js';

it('reads lines, lists, CSV and names, once each', () => {
  const text =
    'email,name\nAnn@Example.org,Ann\n"Bob" <bob@example.org>; ann@example.org\r\n\n bounced@x.test ,soft\nnobody@\n';
  expect(pastedAddresses(text)).toEqual({
    addresses: ['ann@example.org', 'bob@example.org', 'bounced@x.test'],
    refused: ['email,name', 'nobody@'],
  });
});
