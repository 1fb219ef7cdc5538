import { beforeEach, expect, it } from '@jest/globals';
import { SecretBox } from '#platform/secrets';
import type { FastifyRequest } from 'fastify';
import { FakeClock } from '../../../../../test/support/fakes/fake-clock.js';
import { InMemoryAttemptCounts } from '../../../../../test/support/fakes/in-memory-attempt-counts.js';
import { OwnOrigin } from '../../application/ports/sign-in.port.js';
import { SessionCookies } from '../../application/session-cookies.js';
import { AuthLimits, TooManyAttemptsError } from './auth-limits.js';
import { AuthRoute, authRoutes } from './auth-routes.js';

const origin: OwnOrigin = { value: 'https://mail.test', isOwn: () => true };
const signIn: AuthRoute = { method: 'POST', path: '/sign-in/email', guesses: true };
const reset: AuthRoute = { method: 'POST', path: '/request-password-reset', mails: true };

let counts: InMemoryAttemptCounts;
let clock: FakeClock;
let asked: number;

beforeEach(() => {
  counts = new InMemoryAttemptCounts();
  clock = new FakeClock();
  asked = 0;
});

/** Of one process. All share the counts. */
function limitsOfProcess(): AuthLimits {
  return new AuthLimits(counts, new SecretBox('ab'.repeat(32)), new SessionCookies(origin), origin, clock);
}

function requestOf(ip: string): FastifyRequest {
  return { ip, headers: {} } as FastifyRequest;
}

/** Each asks about an account of its own, so that no limit of an account is met. */
function aboutSomebody(): string {
  return JSON.stringify({ email: `user${++asked}@people.test` });
}

/** Attempts from addresses that all differ, until one is refused. */
async function allowed(route: AuthRoute, address: (n: number) => string, processes: AuthLimits[]): Promise<number> {
  for (let n = 0; n < 1_000; n++) {
    const limits = processes[n % processes.length] as AuthLimits;
    try {
      await limits.begin(route, requestOf(address(n)), aboutSomebody());
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyAttemptsError);
      return n;
    }
  }
  return Infinity;
}

const network = (n: number): string => `2001:db8:1:${n.toString(16)}::1`;
const site = (n: number): string => `2001:db8:${(n + 16).toString(16)}::1`;

it.each([
  { what: 'guesses', route: signIn, ofNetwork: 30, ofSite: 90 },
  { what: 'mails', route: reset, ofNetwork: 20, ofSite: 60 },
])('$what are counted by /64 and by /48 of IPv6, in all processes together', async ({ route, ofNetwork, ofSite }) => {
  const processes = [limitsOfProcess(), limitsOfProcess()];
  expect(await allowed(route, (n) => `2001:db8::${n.toString(16)}`, processes)).toBe(ofNetwork);
  expect(await allowed(route, network, processes)).toBe(ofSite);
  expect(await allowed(route, site, [limitsOfProcess()])).toBe(Infinity);
});

it('visitors for whom a row is stored are counted by /64 and by /48, by each process', async () => {
  const stored = authRoutes.filter(({ storesVisit }) => storesVisit === true);
  expect(stored.map(({ path }) => path)).toEqual(['/sign-in/social', '/passkey/generate-authenticate-options']);
  for (const route of stored) {
    const processes = [limitsOfProcess()];
    expect(await allowed(route, () => '2001:db8::1', processes)).toBe(300);
    expect(await allowed(route, network, processes)).toBe(600 + 300);
    expect(await allowed(route, site, processes)).toBe(Infinity);
  }
});

it('addresses of IPv4 are counted one by one, also where they are written as IPv6', async () => {
  const limits = [limitsOfProcess()];
  expect(await allowed(signIn, (n) => `192.0.2.${n}`, limits)).toBe(Infinity);
  expect(await allowed(signIn, (n) => (n % 2 === 0 ? '198.51.100.1' : '::ffff:198.51.100.1'), limits)).toBe(30);
});

it('a right password is counted neither by /64 nor by /48', async () => {
  const limits = limitsOfProcess();
  for (let n = 0; n < 200; n++) {
    const attempt = await limits.begin(signIn, requestOf(network(n)), aboutSomebody());
    await attempt.end(new Response());
  }
  expect(await allowed(signIn, network, [limits])).toBe(90);
});

it('tokens and confirmations count against the /48 as well', async () => {
  const limits = limitsOfProcess();
  for (let n = 0; n < 45; n++) {
    await limits.beginGuess(requestOf(network(n)));
    await limits.beginConfirmation(requestOf(network(n)), `user ${n}`);
  }
  await expect(limits.beginGuess(requestOf(network(99)))).rejects.toThrow(TooManyAttemptsError);
  await expect(limits.beginConfirmation(requestOf(network(99)), 'another')).rejects.toThrow(TooManyAttemptsError);
});
