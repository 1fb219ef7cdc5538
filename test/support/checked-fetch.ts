import { CheckedApi } from './checked-api.js';

/**
 * Holds every answer that an end-to-end test gets against the program's own `/openapi.json`: what the description does
 * not say must not be answered, and what it says must: statuses, bodies, names of errors. Requests without an API key are
 * checked as well where one with a key has shown that a program is there.
 */

const plainFetch = globalThis.fetch;
const apis = new Map<string, Promise<CheckedApi | undefined>>();

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const answer = await plainFetch(input, init);
  const hasKey = /^Bearer re_/.test(request.headers.get('authorization') ?? '');
  if (hasKey || apis.has(new URL(request.url).origin)) await check(request, answer.clone());
  return answer;
};

async function check(request: Request, answer: Response): Promise<void> {
  const { origin, pathname } = new URL(request.url);
  const described = apis.get(origin) ?? describe(origin);
  apis.set(origin, described);
  await (await described)?.check(request.method, pathname, answer);
}

async function describe(origin: string): Promise<CheckedApi | undefined> {
  const answer = await plainFetch(`${origin}/openapi.json`);
  return answer.ok ? CheckedApi.describedBy(await answer.text()) : undefined;
}
