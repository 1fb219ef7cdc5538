import type { Database } from '#postgres/database';
import type { Kysely } from 'kysely';
import type { AsyncContext } from './async-contexts.js';
import { authDialect } from './auth-dialect.js';

/** The tables of better-auth have a schema of their own: their names (`user`, `session`) are too general. */
const schemaName = 'auth';

export type AuthLibrary = typeof import('./auth-packages.js');

/**
 * Loads better-auth. It is loaded with the first request that needs it, because it takes as long as a third of the
 * start, and an installation that only uses API keys never needs it.
 */
export function loadAuthLibrary(): Promise<AuthLibrary> {
  return import('./auth-packages.js');
}

export function authDatabase(database: Database, { kysely }: AuthLibrary): Kysely<never> {
  return new kysely.Kysely<never>({ dialect: authDialect(database, kysely) }).withSchema(schemaName);
}

/** The storages in which better-auth keeps the state of a request. */
export async function contextsOf({ contexts }: AuthLibrary): Promise<readonly AsyncContext[]> {
  return [
    await contexts.getRequestStateAsyncLocalStorage(),
    await contexts.getCurrentAuthContextAsyncLocalStorage(),
    await contexts.getCurrentDBAdapterAsyncLocalStorage(),
  ];
}
