import type { BetterAuthPlugin } from 'better-auth';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Database } from '#postgres/database';
import { secondsUntil } from '../../application/ports/attempt-counts.port.js';
import type { AuthLibrary } from './auth-library.js';

const periodSeconds = 30;
const digits = 6;
/** better-auth accepts the codes of the steps beside the current one. */
const steps = [-1, 0, 1];

/**
 * A code from an authenticator app is valid for 90 seconds, and better-auth accepts it as often as it is sent. This
 * stores the step of the last code that a user has used, and refuses that code and all earlier ones (RFC 6238 section
 * 5.2).
 */
export function oneTimeCodes(database: Database, library: AuthLibrary): BetterAuthPlugin {
  return {
    id: 'one-time-codes',
    schema: {
      twoFactor: { fields: { lastUsedStep: { type: 'number', required: false, input: false, returned: false } } },
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp' || path === '/two-factor/verify-backup-code',
          handler: library.createAuthMiddleware(async (ctx) => {
            const code: unknown = (ctx.body as { code?: unknown } | undefined)?.code;
            const session = await library.getSessionFromCtx(ctx as never);
            const userId = session?.user.id ?? (await userOfChallenge(ctx));
            if (userId === undefined || typeof code !== 'string') return;
            const row = await ctx.context.adapter.findOne<{ secret: string; lockedUntil?: Date | string | null }>({
              model: 'twoFactor',
              where: [{ field: 'userId', value: userId }],
            });
            if (row === null) return;
            // better-auth refuses it as well, and does not say for how long. The code stays unused.
            if (session === null) refuseWhileLocked(new Date(row.lockedUntil ?? 0), library);
            if (ctx.path !== '/two-factor/verify-totp') return;
            const secret = await library.decrypt({ key: ctx.context.secretConfig, data: row.secret });
            const step = stepOf(secret, code, Date.now());
            // A wrong code is refused and counted by better-auth.
            if (step === undefined || (await claim(database, userId, step))) return;
            throw new library.APIError('UNAUTHORIZED', {
              code: 'CODE_ALREADY_USED',
              message: 'This code has been used. Wait for the next one.',
            });
          }),
        },
      ],
    },
  };
}

interface Context {
  readonly context: {
    readonly secret: string;
    createAuthCookie(name: string): { readonly name: string };
    readonly internalAdapter: { findVerificationValue(identifier: string): Promise<{ readonly value: string } | null> };
  };
  getSignedCookie(name: string, secret: string): Promise<string | null | false>;
}

const lockedMessage = 'Too many wrong codes. Wait a while, then try again.';

function refuseWhileLocked(lockedUntil: Date, library: AuthLibrary): void {
  const now = new Date();
  if (lockedUntil <= now) return;
  throw new library.APIError(
    'TOO_MANY_REQUESTS',
    { code: 'ACCOUNT_TEMPORARILY_LOCKED', message: lockedMessage },
    { 'retry-after': String(secondsUntil(lockedUntil, now)) },
  );
}

/** The user who has passed the first factor. */
async function userOfChallenge(ctx: Context): Promise<string | undefined> {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  if (typeof identifier !== 'string') return undefined;
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value;
}

/** The step whose code this is; undefined if it is none of the accepted ones. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const current = Math.floor(now / 1_000 / periodSeconds);
  return steps.map((offset) => current + offset).find((step) => isEqual(codeOf(secret, step), code));
}

/** HOTP (RFC 4226) of a step. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash[hash.length - 1] as number) & 0x0f;
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** One statement, so that of two requests with the same code only one succeeds. */
async function claim(database: Database, userId: string, step: number): Promise<boolean> {
  const claimed = await database.execute({
    text: `UPDATE auth."twoFactor" SET "lastUsedStep" = $2
           WHERE "userId" = $1 AND ("lastUsedStep" IS NULL OR "lastUsedStep" < $2)`,
    values: [userId, step],
  });
  return claimed > 0;
}
