import { CheckedApi } from './checked-api.js';

/**
 * Checks every response in an end-to-end test against the program's own `/openapi.json`: its status, its body and the
 * name of its error. A request without an API key is checked as well if an earlier one with a key went to the same
 * origin.
 */

const plainFetch = globalThis.fetch;
const apis = new Map<string, Promise<CheckedApi | undefined>>();

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await plainFetch(input, init);
  const hasKey = /^Bearer re_/.test(request.headers.get('authorization') ?? '');
  if (hasKey || apis.has(new URL(request.url).origin)) await check(request, response.clone());
  return response;
};

async function check(request: Request, response: Response): Promise<void> {
  const { origin, pathname } = new URL(request.url);
  const described = apis.get(origin) ?? describe(origin);
  apis.set(origin, described);
  await (await described)?.check(request.method, pathname, response);
}

async function describe(origin: string): Promise<CheckedApi | undefined> {
  const response = await plainFetch(`${origin}/openapi.json`);
  return response.ok ? CheckedApi.describedBy(await response.text()) : undefined;
}
