import type { BetterAuthPlugin } from 'better-auth';
import { passwordLengths } from '../../domain/invitation.js';
import type { AuthLibrary } from './auth-library.js';
import type { AuthSettings } from './auth-settings.js';

interface PasswordBody {
  readonly token?: unknown;
  readonly newPassword?: unknown;
  readonly keepTools?: unknown;
  readonly endTools?: unknown;
}

/**
 * A new password also ends what the user has allowed to tools: by default if the password was forgotten, since somebody
 * else may have been signed in, and with `endTools` if it is changed. `keepTools` keeps them.
 */
export function toolsEndWithPassword({ memberships }: AuthSettings, library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'tools-end-with-password',
    hooks: {
      before: [
        {
          // Before the password is set: if the process ends in between, the link still works and nothing has been kept.
          matcher: ({ path }) => path === '/reset-password',
          handler: library.createAuthMiddleware(async (ctx) => {
            const { token, newPassword, keepTools } = (ctx.body ?? {}) as PasswordBody;
            if (typeof token !== 'string' || !isLongEnough(newPassword) || keepTools === true) return;
            const found = await ctx.context.internalAdapter.findVerificationValue(`reset-password:${token}`);
            if (found != null && found.expiresAt > new Date()) await memberships.endTools(found.value);
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/change-password',
          handler: library.createAuthMiddleware(async (ctx) => {
            const { user } = (ctx.context.returned ?? {}) as { user?: { id?: string } };
            const isWanted = ((ctx.body ?? {}) as PasswordBody).endTools === true;
            if (isWanted && user?.id !== undefined) await memberships.endTools(user.id);
          }),
        },
      ],
    },
  };
}

function isLongEnough(password: unknown): boolean {
  const { min, max } = passwordLengths;
  return typeof password === 'string' && password.length >= min && password.length <= max;
}
