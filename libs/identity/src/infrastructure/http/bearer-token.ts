import { MissingApiKeyError } from '../../domain/identity-errors.js';

/** Returns the token of an `Authorization: Bearer` header. Throws MissingApiKeyError if there is none. */
export function bearerToken(header: string | undefined): string {
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  if (match?.[1] === undefined) throw new MissingApiKeyError();
  return match[1];
}
