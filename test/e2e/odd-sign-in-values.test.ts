import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { redirects } from '../../libs/accounts/src/infrastructure/http/auth-input.js';
import { Operation, requestsWithOddValues } from '../support/described/odd-values.js';
import { startProgram, TestProgram } from '../support/programs/program.js';
import { doorsOf } from '../support/described/sign-in-doors.js';
import { addMember, firstTeam } from '../support/builders/users.js';

let program: TestProgram;
let doors: readonly Operation[];
let cookies: string;

beforeAll(async () => {
  program = await startProgram({ TRUSTED_PROXIES: '127.0.0.1' });
  await program.request('/domains');
  doors = doorsOf(program);
  cookies = (await addMember(program, await firstTeam(program), 'owner')).browser.cookies();
});

afterAll(() => program.stop());

let clients = 0;
/** Each request comes from a network of its own (a /48), so that no limit answers in place of the route. */
const fromElsewhere = (): string => {
  const client = (++clients).toString(16).padStart(8, '0');
  return `2a00:${client.slice(0, 4)}:${client.slice(4)}::1`;
};

const headersOf = (init: RequestInit): Record<string, string> => ({
  'sec-fetch-site': 'same-origin',
  origin: program.url,
  'x-requested-with': 'postrider',
  ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
  'x-forwarded-for': fromElsewhere(),
});

/** One fault of each route is shown. */
type Faults = Map<string, string>;

async function look(faults: Faults, path: string, init: RequestInit, headers: Record<string, string>): Promise<void> {
  const all = { ...headersOf(init), ...headers };
  // Nor does that of an address that gets mail.
  const body =
    typeof init.body === 'string' ? init.body.replaceAll(/[ab]@people\.test/g, `a${clients}@people.test`) : null;
  const send = () => fetch(`${program.url}${path}`, { ...init, body, headers: all, redirect: 'manual' });
  let response = await send();
  // No place to hash a password on a busy machine.
  let tries = 1;
  for (; response.status === 503 && tries < 6; tries++) response = await send();
  const text = await response.text();
  // Each try of an address counts.
  const isLimited = response.status === 429 && tries === 1;
  const isRefused = response.status < 500 && !isLimited && isRefusal(response, text);
  const isFine = response.status < 400 || isRefused;
  if (!isFine) faults.set(`${init.method} ${path.split('?', 1)[0]} ${response.status}`, `${path} ${body} ${text}`);
}

/** A page, or an error in the form of the contract or of OAuth. */
function isRefusal({ headers }: Response, text: string): boolean {
  if (headers.get('content-type')?.startsWith('text/html') === true) return true;
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return typeof (message ?? error) === 'string';
  } catch {
    return false;
  }
}

async function faultsOf(requests: Iterable<readonly [string, RequestInit]>, headers = {}): Promise<Faults> {
  const faults: Faults = new Map();
  const next = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let item = next.next(); item.done !== true; item = next.next()) {
      await look(faults, ...item.value, headers);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return faults;
}

it('every route of signing in and of tools is tried', () => {
  const paths = doors.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['/auth/update-user', '/oauth/token', '/oauth/register']));
  expect(doors.length).toBeGreaterThan(30);
});

it.each(['nobody', 'a user'])('no odd value in a path, a query or a body causes a server error: %s', async (who) => {
  const headers = who === 'nobody' ? {} : { cookie: cookies };
  expect(await faultsOf(requestsWithOddValues(doors), headers)).toEqual(new Map());
});

it('people who sign up at once hold no connection of the pool while they wait', async () => {
  const signUp = async (n: number): Promise<number> => {
    const body = JSON.stringify({ email: `at-once-${n}@people.test`, password: 'correct horse battery', name: 'New' });
    const init = { method: 'POST', body };
    return (await fetch(`${program.url}/auth/sign-up/email`, { ...init, headers: headersOf(init) })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 24 }, (_, n) => signUp(n)));
  expect(statuses.filter((status) => status !== 503)).toContain(200);
  expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
});

const elsewhere = [
  ...[
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/app/../..//evil.test',
    '/app/..//evil.test',
  ],
  ...['/app/%2e%2e//evil.test', '/app/./..//evil.test', '/\t/evil.test', ' https://evil.test', 'javascript:alert(1)'],
  ...['http:evil.test:99', `${'/app/'.repeat(3)}../../../..//evil.test`, '////evil.test', 'data:text/html,x'],
];

/** Where a browser goes from there. */
const goal = (location: string): URL => new URL(location, program.url);

it.each(elsewhere)('no parameter sends the browser to %j', async (address) => {
  const asked = doors.flatMap(({ method, path, body }): (readonly [string, RequestInit])[] => {
    const url = path.replace(/\{\w+\}/g, 'x');
    if (method === 'GET') return redirects.map((name) => [`${url}?token=x&${name}=${encodeURIComponent(address)}`, {}]);
    const names = redirects.filter((name) => Object.hasOwn(body ?? {}, name));
    return names.map((name) => [url, { method, body: JSON.stringify({ ...(body as object), [name]: address }) }]);
  });
  expect(asked.length).toBeGreaterThan(20);
  for (const [path, init] of asked) {
    const response = await fetch(`${program.url}${path}`, { ...init, headers: headersOf(init), redirect: 'manual' });
    const location = response.headers.get('location');
    if (location !== null) expect([path, goal(location).origin]).toEqual([path, program.url]);
    expect([path, await response.text()]).not.toEqual([path, expect.stringContaining('evil.test')]);
  }
});

it('a link of ours still leads to our page', async () => {
  const path = '/auth/verify-email?token=wrong&callbackURL=%2Fapp%2Fsign-in%3Fverified%3D1';
  const response = await fetch(`${program.url}${path}`, { redirect: 'manual' });
  expect(goal(response.headers.get('location') ?? '').pathname).toBe('/app/sign-in');
});

it.each(['/auth/callback/..\\ok', '/auth/callback/..\\passkey\\generate-register-options', '/auth/callback/%2e%2e'])(
  'the path %s leads to no endpoint that its route is not for',
  async (path) => {
    const { hostname, port } = new URL(program.url);
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { cookie: cookies };
      get({ hostname, port, path, headers }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });
    expect(answer).toBe(404);
  },
);
