import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { randomBytes } from 'node:crypto';
import type { AuthLibrary } from './auth-library.js';

type Validation = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * `requireEmailVerification` does not hold for Google and GitHub: an address that they have not verified is refused
 * here.
 */
export function refuseUnverified(library: AuthLibrary): Validation {
  return ({ user, source }) => {
    if (source.method === 'oauth' && user.emailVerified !== true) {
      throw new library.APIError('FORBIDDEN', {
        code: 'email_not_verified',
        message: 'The address of this account is not verified there.',
      });
    }
  };
}

/** Endpoints that may give a session to a user with a second factor. All others must not. */
const mayStartSession = new Set([
  // Followed by the challenge of the two-factor plugin.
  '/sign-in/email',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  // Only with a session that has passed the challenge.
  '/two-factor/enable',
  '/two-factor/disable',
  '/change-password',
  '/change-email',
  '/update-user',
  '/verify-email',
  '/get-session',
  // A passkey with user verification is two factors.
  '/passkey/verify-authentication',
]);

/** The passkey plugin takes a passkey without user verification, which a thief of a security key can use as well. */
export function refuseUnverifiedPasskey(
  { authenticationInfo }: { readonly authenticationInfo: { readonly userVerified: boolean } },
  library: AuthLibrary,
): void {
  if (authenticationInfo.userVerified) return;
  throw new library.APIError('UNAUTHORIZED', {
    code: 'passkey_user_not_verified',
    message: 'The passkey was used without a PIN, a fingerprint or a face. Unlock it in one of these ways.',
  });
}

/** Makes browsers ask for the verification. The plugin calls it `preferred`, with which some leave it out. */
export function verifyPasskeyUsers(library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'verify-passkey-users',
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === '/passkey/generate-authenticate-options',
          handler: library.createAuthMiddleware(async (ctx) => {
            const options = ctx.context.returned;
            if (typeof options !== 'object' || options === null || options instanceof Error) return;
            return ctx.json({ ...options, userVerification: 'required' });
          }),
        },
      ],
    },
  };
}

const challengeSeconds = 600;

/**
 * The two-factor plugin asks for a code only after a password. This asks after every other way to sign in as well,
 * Google and GitHub among them: the session that was just made is deleted, and the browser is sent to the page that
 * asks for the code.
 */
export function secondFactorEverywhere(library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'second-factor-everywhere',
    hooks: {
      after: [
        {
          matcher: ({ path }) => !mayStartSession.has(path ?? ''),
          handler: library.createAuthMiddleware(async (ctx) => {
            const made = ctx.context.newSession as {
              user: { id: string; twoFactorEnabled?: boolean };
              session: { token: string };
            } | null;
            if (made?.user.twoFactorEnabled !== true) return;
            const { sessionToken } = ctx.context.authCookies;
            dropCookie(ctx.context.responseHeaders, sessionToken.name);
            ctx.setCookie(sessionToken.name, '', { ...sessionToken.attributes, maxAge: 0 });
            await ctx.context.internalAdapter.deleteSession(made.session.token);
            ctx.context.setNewSession(null);
            const identifier = `2fa-${randomBytes(20).toString('base64url')}`;
            const expiresAt = new Date(Date.now() + challengeSeconds * 1_000);
            const store = (name: string, value: string): Promise<unknown> =>
              ctx.context.internalAdapter.createVerificationValue({ identifier: name, value, expiresAt });
            await store(identifier, made.user.id);
            await store(`2fa-attempts-${identifier}`, '0');
            const cookie = ctx.context.createAuthCookie('two_factor', { maxAge: challengeSeconds });
            await ctx.setSignedCookie(cookie.name, identifier, ctx.context.secret, cookie.attributes);
            throw ctx.redirect('/app/sign-in/two-factor');
          }),
        },
      ],
    },
  };
}

/** The response must not carry the session's cookie even once: a log or a proxy could keep it. */
function dropCookie(headers: Headers | undefined, name: string): void {
  if (headers === undefined) return;
  const kept = headers.getSetCookie().filter((cookie) => !cookie.startsWith(`${name}=`));
  headers.delete('set-cookie');
  for (const cookie of kept) headers.append('set-cookie', cookie);
}
