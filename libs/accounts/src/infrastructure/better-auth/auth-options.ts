import { displayNameOf } from '#kernel';
import type { BetterAuthOptions } from 'better-auth';
import { authDatabase, AuthLibrary } from './auth-library.js';
import { cookiePrefix } from '../../application/session-cookies.js';
import { addressProof } from './address-proof.js';
import { noteDatabaseTrouble } from './auth-dialect.js';
import { AuthSettings, clientAddressHeader, ownOriginHeader, sessionDays } from './auth-settings.js';
import { oneTimeCodes } from './one-time-codes.js';
import { github } from './github-sign-in.js';
import { arrivalOfRequest, openIdSignIn } from './open-id-sign-in.js';
import { passwordsByPolicy } from './password-policy.js';
import {
  refuseUnverified,
  refuseUnverifiedPasskey,
  secondFactorEverywhere,
  verifyPasskeyUsers,
} from './sign-in-rules.js';
import { toolsEndWithPassword } from './tools-end-with-password.js';
import { TooManySignInsError } from './password-hashes.js';
import { withHashedSessions } from './hashed-sessions.js';
import { userNames } from './user-names.js';

const daySeconds = 86_400;
const hourSeconds = 3_600;

/**
 * The options of better-auth. Left out on purpose: magic links, codes by mail, `cookieCache`, the OAuth proxy (each is
 * a way past the second factor), and its rate limits, which have one bucket for all clients without an address header.
 */
export function authOptions(settings: AuthSettings, library: AuthLibrary): BetterAuthOptions {
  const { origin, mail, policy, secrets } = settings;
  const isHttps = origin.startsWith('https:');
  const arrival = arrivalOfRequest(library);
  const database = library.kyselyAdapter(authDatabase(settings.database, library), {
    type: 'postgres',
    transaction: true,
  });
  return {
    appName: 'Postrider',
    baseURL: origin,
    basePath: '/auth',
    secrets: secrets.map(({ id, value }) => ({ version: id, value })),
    database: withHashedSessions(database) as never,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'warn', log: (level, message) => settings.log(level, message) },
    trustedOrigins: (request) => [origin, request?.headers.get(ownOriginHeader) ?? ''].filter((one) => one !== ''),
    onAPIError: {
      errorURL: '/app/sign-in',
      onError: (error) => {
        const isRefusal = error instanceof library.APIError && error.status !== 'INTERNAL_SERVER_ERROR';
        if (!isRefusal && !noteDatabaseTrouble(error)) settings.failed(error);
      },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      password: passwordsOf(settings, library),
      minPasswordLength: 10,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: hourSeconds,
      sendResetPassword: ({ user, url }) => mail.resetPassword(user.email, url),
      onPasswordReset: ({ user }) => mail.passwordChanged(user.email),
      onExistingUserSignUp: ({ user }) => mail.alreadyRegistered(user.email, `${origin}/app/sign-in`),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      expiresIn: hourSeconds,
      sendVerificationEmail: ({ user, url }) => mail.verifyAddress(user.email, url),
    },
    user: {
      changeEmail: {
        enabled: true,
        sendChangeEmailConfirmation: ({ user, newEmail, url }) => mail.confirmChange(user.email, newEmail, url),
      },
      validateUserInfo: refuseUnverified(library),
    },
    session: {
      expiresIn: sessionDays * daySeconds,
      updateAge: daySeconds,
      cookieCache: { enabled: false },
      additionalFields: {
        authenticatedAt: { type: 'date', required: false, input: false, defaultValue: () => new Date() },
      },
    },
    account: {
      encryptOAuthTokens: true,
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [], allowDifferentEmails: false },
    },
    verification: { storeIdentifier: 'hashed' },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            const hasTeam = ((await arrival.get())?.roles.size ?? 0) > 0;
            if (await policy.mayCreate(user.email, hasTeam))
              return { data: { ...user, name: displayNameOf(user.name) } };
            throw new library.APIError('FORBIDDEN', {
              code: 'sign_up_closed',
              message: 'Only people who were invited may create an account here.',
            });
          },
        },
      },
    },
    plugins: [
      library.twoFactor({ issuer: 'Postrider', allowPasswordless: true, twoFactorCookieMaxAge: 600 }),
      library.passkey({
        rpID: new URL(origin).hostname,
        rpName: 'Postrider',
        origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        authentication: { afterVerification: ({ verification }) => refuseUnverifiedPasskey(verification, library) },
      }),
      library.genericOAuth({
        config: settings.github === undefined ? [] : [github(settings.github, settings, library)],
      }),
      openIdSignIn(settings, library, arrival),
      passwordsByPolicy(settings, library),
      oneTimeCodes(settings.database, library),
      addressProof(settings, library),
      toolsEndWithPassword(settings, library),
      userNames(library),
      verifyPasskeyUsers(library),
      secondFactorEverywhere(library),
    ],
    advanced: {
      cookiePrefix: cookiePrefix(origin),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, secure: isHttps, sameSite: 'lax', path: '/' },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader], ipv6Subnet: 64 },
      database: { generateId: 'uuid' },
    },
  };
}

/** A refusal must be an error of better-auth, or it answers 500. */
function passwordsOf({ hashes }: AuthSettings, library: AuthLibrary): Passwords {
  const refused = (error: unknown): never => {
    if (!(error instanceof TooManySignInsError)) throw error;
    throw new library.APIError('SERVICE_UNAVAILABLE', { code: error.code, message: error.message });
  };
  return {
    hash: (password) => hashes.hash(password).catch(refused),
    verify: ({ hash, password }) => hashes.verify(hash, password).catch(refused),
  };
}

type Passwords = NonNullable<NonNullable<BetterAuthOptions['emailAndPassword']>['password']>;
