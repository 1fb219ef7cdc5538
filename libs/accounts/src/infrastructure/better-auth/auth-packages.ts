/** The packages of the sign-in library. Loaded by `loadAuthLibrary` only, with the first request that needs them. */
export * as contexts from '@better-auth/core/context';
export { kyselyAdapter } from '@better-auth/kysely-adapter';
export { passkey } from '@better-auth/passkey';
export {
  addOAuthServerContext,
  APIError,
  createAuthMiddleware,
  getOAuthState,
  getSessionFromCtx,
} from 'better-auth/api';
export { generateRandomString, hashPassword, symmetricDecrypt as decrypt, verifyPassword } from 'better-auth/crypto';
export { betterAuth } from 'better-auth/minimal';
export { genericOAuth } from 'better-auth/plugins/generic-oauth';
export { twoFactor } from 'better-auth/plugins/two-factor';
export * as kysely from 'kysely';
