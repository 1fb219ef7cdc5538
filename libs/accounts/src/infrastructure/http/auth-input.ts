import { DomainError, isUuid, ValidationError } from '#kernel';
import { jsonObject } from '#http/server';
import type { AuthField, AuthRoute } from './auth-routes.js';

/** Where the browser is sent afterwards. */
export const redirects = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'];
const maxCredentialDepth = 4;

/** Whether an address is one of a page of this service, where the browser may be sent. */
export type IsOwnPage = (address: string) => boolean;

/**
 * The body for better-auth: the fields that the route takes, each of its type. The library checks some fields itself,
 * and fails at others or hands them to the database. Throws DomainError.
 */
export function checkedBody({ fields = {} }: AuthRoute, text: unknown, isOwnPage: IsOwnPage): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const body = parsed(text);
  const given = Object.keys(fields).filter((name) => Object.hasOwn(body, name) && body[name] !== null);
  for (const name of given) {
    if (!isOf(fields[name] as AuthField, body[name])) throw new ValidationError(`The \`${name}\` field is not valid.`);
    if (redirects.includes(name) && !isOwnPage(String(body[name]))) throw foreignPage(name);
  }
  return JSON.stringify(Object.fromEntries(given.map((name) => [name, body[name]])));
}

/** Throws DomainError if the query of a link sends the browser to another service. */
export function checkQuery(query: unknown, isOwnPage: IsOwnPage): void {
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new ValidationError(`The parameter \`${name.slice(0, 50)}\` is given twice.`);
    if (redirects.includes(name) && !isOwnPage(value)) throw foreignPage(name);
  }
}

/** Resolved as a browser does. A path with two slashes would be read as another host once it stands alone. */
export function pageOf(address: string, origin: string): URL | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const page = new URL(address, origin);
  return page.pathname.startsWith('//') ? undefined : page;
}

function foreignPage(name: string): DomainError {
  return new DomainError('forbidden', 'foreign_page', `The \`${name}\` must be a page of this service.`);
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'invalid_json', 'The request body is not valid JSON.');
  }
  return jsonObject(body);
}

function isOf(field: AuthField, value: unknown): boolean {
  switch (field) {
    case 'text':
      return isText(value);
    case 'id':
      return typeof value === 'string' && isUuid(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'credential':
      return isCredential(value);
  }
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** What a browser answers for a passkey (`PublicKeyCredential.toJSON()`), as far as the library trusts it blindly. */
function isCredential(value: unknown): boolean {
  const { id, rawId, type, response, clientExtensionResults } = (value ?? {}) as Record<string, unknown>;
  return [id, rawId, type].every(isText) && isPlain(response) && isPlain(clientExtensionResults ?? {});
}

function isPlain(value: unknown, depth = 0): boolean {
  if (depth > maxCredentialDepth) return false;
  if (typeof value === 'string') return isText(value);
  if (typeof value !== 'object' || value === null) return depth > 0;
  return Object.entries(value).every(([name, inner]) => isText(name) && isPlain(inner, depth + 1));
}
