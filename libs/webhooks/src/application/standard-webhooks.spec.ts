import { expect, it } from '@jest/globals';
import { newSigningSecret, signatureHeaders } from './standard-webhooks.js';

it('the public test vector of the contract has its signature (section 22.1)', () => {
  const headers = signatureHeaders(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  expect(headers['svix-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(headers['svix-timestamp']).toBe('1614265330');
  expect(headers['webhook-signature']).toBe(headers['svix-signature']);
});

it('a new secret has 32 random bytes', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
});
