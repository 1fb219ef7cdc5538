import { expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { FakeClock } from '../../../../../test/support/fakes/fake-clock.js';
import { OAuthLimits } from './oauth-limits.js';

const requestOf = (ip: string): FastifyRequest => ({ ip }) as FastifyRequest;

function registered(limits: OAuthLimits, address: (n: number) => string): number {
  for (let n = 0; n < 200; n++) {
    try {
      limits.takeRegistration(requestOf(address(n)));
    } catch {
      return n;
    }
  }
  return Infinity;
}

it('registrations are counted by address, and by /64 and /48 of IPv6', () => {
  const limits = new OAuthLimits(new FakeClock());
  expect(registered(limits, () => '192.0.2.1')).toBe(20);
  expect(registered(limits, (n) => `198.51.100.${n}`)).toBe(Infinity);
  expect(registered(limits, (n) => `2001:db8::${n.toString(16)}`)).toBe(20);
  expect(registered(limits, (n) => `2001:db8:1:${n.toString(16)}::1`)).toBe(60);
  expect(registered(limits, (n) => `2001:db8:${(n + 16).toString(16)}::1`)).toBe(Infinity);
});

it('a refusal says when the window ends', () => {
  const clock = new FakeClock();
  const limits = new OAuthLimits(clock);
  registered(limits, () => '192.0.2.1');
  clock.advance(10 * 60_000);
  expect(() => limits.takeRegistration(requestOf('192.0.2.1'))).toThrow(
    expect.objectContaining({ retryAfterSeconds: 3_000 }),
  );
});
