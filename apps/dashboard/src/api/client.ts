import createClient from 'openapi-fetch';
import { parsedJson } from '../logic/parsed-json';
import { ApiError } from './error';
import { credentials } from './credentials';
import type { components, paths } from './schema.gen';

/** The types that `docs/openapi.json` describes: `Schema<'EmailResponse'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/**
 * The public API, typed from its description: `answer(api.GET('/emails/{id}', { params: { path: { id } } }))`. Requests carry the
 * session's cookie and the team. Use `request` for what the description does not have.
 */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: (input) => send(input) });

/** The body of an answer. Throws `ApiError` for a refusal. */
export async function answer<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await pending;
  if (!response.ok || data === undefined || data === null) throw ApiError.of(response.status, error);
  return data;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A request for JSON outside of the described API. */
export async function request<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await send(
    new Request(url, {
      method: options.method ?? 'GET',
      headers: { ...options.headers, ...(options.body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    }),
  );
  const text = await response.text();
  const body: unknown = text === '' ? undefined : parsedJson(text);
  if (!response.ok) throw ApiError.of(response.status, body);
  return body as Body;
}

/** A request whose response is read by the caller, such as a stream or a download. */
export async function send(input: Request): Promise<Response> {
  credentials.addTo(input.headers);
  try {
    const response = await fetch(input, { credentials: 'same-origin' });
    if (response.status === 401) credentials.refused(new URL(input.url).pathname);
    return response;
  } catch (error) {
    if ((error as { name?: unknown }).name === 'AbortError') throw error;
    throw ApiError.unreachable();
  }
}
