import { checkDisplayName, displayNameOf, ValidationError } from '#kernel';
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthLibrary } from './auth-library.js';

const signUp = '/sign-up/email';
const paths = new Set([signUp, '/update-user']);

/**
 * Refuses names that would stand in mail of the service as if it had written them. The name of a sign-up is changed to
 * the form in which it is stored before the library looks for the account: it answers with the name, and must not tell
 * whether it stored one.
 */
export function userNames(library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'user-names',
    hooks: {
      before: [
        {
          matcher: ({ path }) => paths.has(path ?? ''),
          handler: library.createAuthMiddleware(async ({ path, body }) => {
            const { name } = (body ?? {}) as { name?: unknown };
            if (typeof name !== 'string') return undefined;
            try {
              checkDisplayName(name);
            } catch (error) {
              if (!(error instanceof ValidationError)) throw error;
              throw new library.APIError('UNPROCESSABLE_ENTITY', { code: 'validation_error', message: error.message });
            }
            if (path === signUp) return { context: { body: { ...(body as object), name: displayNameOf(name) } } };
            return undefined;
          }),
        },
      ],
    },
  };
}
