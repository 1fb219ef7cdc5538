import { expect, it } from '@jest/globals';
import { isSignedWith, isTimely, parsedSignature, sha256, SignedRequest } from './signature-v4.js';

const accessKeyId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';

function aRequest(authorization: string, more: Partial<SignedRequest> = {}): SignedRequest {
  const headers = { host: 'mail.test', 'x-amz-date': '20261130T203959Z', authorization };
  return { method: 'GET', url: '/ses/v2/email/account', ...more, headers: { ...headers, ...more.headers } };
}

const authorizationOf = (signedHeaders: string, signature = '0'.repeat(64)): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261130/eu-central-1/ses/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`;

it.each([
  ['no signature', 'Bearer re_key'],
  ['headers that are not in order', authorizationOf('x-amz-date;host')],
  ['a header twice', authorizationOf('host;host;x-amz-date')],
  ['a host that is not signed', authorizationOf('x-amz-date')],
  ['a day that is none', authorizationOf('host;x-amz-date').replace('20261130', 'today')],
])('%s is none of this form', (_, authorization) => {
  expect(parsedSignature(aRequest(authorization))).toBeUndefined();
});

it('a hash of the body must be signed, and be one', () => {
  const hash = (value: string, signed: string): unknown =>
    parsedSignature(aRequest(authorizationOf(signed), { headers: { 'x-amz-content-sha256': value } }));
  expect(hash(sha256(''), 'host;x-amz-date')).toBeUndefined();
  expect(hash('UNSIGNED-PAYLOAD', 'host;x-amz-content-sha256;x-amz-date')).toBeUndefined();
  expect(hash(sha256(''), 'host;x-amz-content-sha256;x-amz-date')).toMatchObject({ claimedHash: sha256('') });
});

it('a signature is for five minutes, and for its own day', () => {
  const parsed = parsedSignature(aRequest(authorizationOf('host;x-amz-date')));
  if (parsed === undefined) throw new Error('it has the form');
  const at = (minute: number): boolean => isTimely(parsed, new Date(Date.UTC(2026, 10, 30, 20, minute, 0)));
  expect([34, 35, 40, 44, 45].map(at)).toEqual([false, true, true, true, false]);
  expect(isTimely({ ...parsed, day: '20261129' }, new Date('2026-11-30T20:40:00Z'))).toBe(false);
});

it.each(['/ses//v2/email/account', '/ses/./v2/email/account', '/ses/../ses/v2', ''])(
  'the path %j is never signed',
  (url) => {
    const request = aRequest(authorizationOf('host;x-amz-date'), { url });
    const parsed = parsedSignature(request);
    expect(parsed !== undefined && isSignedWith(['secret'], request, parsed, sha256(''))).toBe(false);
  },
);
