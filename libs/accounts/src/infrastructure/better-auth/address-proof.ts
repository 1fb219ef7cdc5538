import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthLibrary } from './auth-library.js';
import type { AuthSettings } from './auth-settings.js';

const hourSeconds = 3_600;
const cookieName = 'signed_up';

interface LinkPayload {
  readonly email: string;
  readonly userId: string;
  readonly updateTo?: string;
  readonly requestType?: string;
}

/**
 * Protects addresses from people who sign up with an address that is not theirs:
 *
 * - An account whose address was never verified gives way when somebody signs up with the address again.
 * - The link of the mail that verifies an address may be opened by somebody who did not sign up: the owner of the address. Unless
 *   the browser is the one that signed up, the password of the sign-up is dropped, and the owner of the address sets one.
 */
export function addressProof({ mail, users }: AuthSettings, library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'address-proof',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-up/email',
          handler: library.createAuthMiddleware(async ({ body }) => {
            const { email } = (body ?? {}) as { email?: unknown };
            if (typeof email === 'string') await users.removeUnverified(email.trim().toLowerCase());
          }),
        },
        {
          matcher: ({ path }) => path === '/verify-email',
          handler: library.createAuthMiddleware(async (ctx) => {
            const payload = payloadOf(ctx.query?.token, ctx.context.secret);
            if (payload === undefined || payload.updateTo !== undefined) return;
            const user = await ctx.context.internalAdapter.findUserById(payload.userId);
            if (user === null || user.emailVerified || user.email !== payload.email) return;
            const cookie = ctx.context.createAuthCookie(cookieName);
            if ((await ctx.getSignedCookie(cookie.name, ctx.context.secret)) === user.id) return;
            for (const account of await ctx.context.internalAdapter.findAccounts(user.id)) {
              await ctx.context.internalAdapter.deleteAccount(account.id);
            }
            const token = library.generateRandomString(32);
            await ctx.context.internalAdapter.createVerificationValue({
              identifier: `reset-password:${token}`,
              value: user.id,
              expiresAt: new Date(Date.now() + hourSeconds * 1_000),
            });
            return { context: { query: { ...ctx.query, callbackURL: `/app/reset-password?token=${token}` } } };
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/sign-up/email',
          handler: library.createAuthMiddleware(async (ctx) => {
            const { user } = (ctx.context.returned ?? {}) as { user?: { id?: string } };
            if (user?.id === undefined) return;
            const cookie = ctx.context.createAuthCookie(cookieName, { maxAge: hourSeconds });
            await ctx.setSignedCookie(cookie.name, user.id, ctx.context.secret, cookie.attributes);
          }),
        },
        {
          matcher: ({ path }) => path === '/verify-email',
          handler: library.createAuthMiddleware(async (ctx) => {
            const payload = payloadOf(ctx.query?.token, ctx.context.secret);
            if (payload?.updateTo === undefined || payload.requestType !== 'change-email-verification') return;
            const user = await ctx.context.internalAdapter.findUserById(payload.userId);
            if (user?.email === payload.updateTo) await mail.addressChanged(payload.email, payload.updateTo);
          }),
        },
      ],
    },
  };
}

/** What a mailed link says (a JWT with HS256); undefined if it was not signed here or has expired. */
function payloadOf(token: unknown, secret: string): LinkPayload | undefined {
  if (typeof token !== 'string' || token.length > 4_000) return undefined;
  const [head = '', body = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as LinkPayload & { readonly exp?: number };
  return (payload.exp ?? 0) * 1_000 > Date.now() ? payload : undefined;
}
