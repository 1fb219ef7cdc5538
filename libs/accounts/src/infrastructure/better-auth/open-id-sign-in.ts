import { createHash } from 'node:crypto';
import type { OidcProvider } from '#platform/config';
import { parseEmailAddress } from '#kernel';
import type { BetterAuthPlugin } from 'better-auth';
import type { TeamRole } from '#identity';
import { rolesOfGroups } from '../../domain/roles-of-groups.js';
import type { OpenIdClient } from '../open-id/open-id-client.js';
import type { AuthLibrary } from './auth-library.js';
import { clientAddressHeader, type AuthSettings } from './auth-settings.js';

/** Somebody who has come back from an OpenID provider, within the request of the callback. */
export interface ProviderArrival {
  readonly provider: string;
  /** What the groups there give, by id of the team. */
  readonly roles: ReadonlyMap<string, TeamRole>;
}

export interface ArrivalOfRequest {
  get(): Promise<ProviderArrival | undefined>;
  set(arrival: ProviderArrival): Promise<void>;
}

export function arrivalOfRequest({ contexts }: AuthLibrary): ArrivalOfRequest {
  return contexts.defineRequestState<ProviderArrival | undefined>(() => undefined);
}

/** Whether the browser was sent to this provider with the state that it brings back. A state of another is a mix-up. */
export async function isBegunWith(id: string, { getOAuthState }: AuthLibrary): Promise<boolean> {
  return (await getOAuthState())?.serverContext?.provider === id;
}

type Provider = NonNullable<
  Awaited<ReturnType<AuthLibrary['contexts']['getCurrentAuthContext']>>
>['context']['socialProviders'][number];

/**
 * Signs in with OpenID providers. The library keeps the state, the nonce and the PKCE verifier; what a provider says is
 * checked by `OpenIdClient`. Endpoints are discovered when they are needed, so that a provider that is away keeps nobody
 * from signing in otherwise.
 */
export function openIdSignIn(
  settings: AuthSettings,
  library: AuthLibrary,
  arrival: ArrivalOfRequest,
): BetterAuthPlugin {
  return {
    id: 'open-id-sign-in',
    init: ({ socialProviders }) => ({
      context: {
        socialProviders: [
          ...socialProviders,
          ...settings.openIdClients.map((client) => providerOf(client, settings, library, arrival)),
        ],
      },
    }),
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-in/social' || path === '/link-social',
          handler: library.createAuthMiddleware(async ({ body }) => {
            await library.addOAuthServerContext({ provider: (body as { provider?: unknown } | undefined)?.provider });
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/callback/:id',
          handler: library.createAuthMiddleware(async ({ context, headers }) => {
            const arrived = await arrival.get();
            const { user } = context.newSession ?? {};
            if (arrived === undefined || user === undefined) return;
            const address = headers?.get(clientAddressHeader) ?? '';
            await settings.groups.follow({ userId: user.id, ...arrived, address });
          }),
        },
      ],
    },
  };
}

function providerOf(
  client: OpenIdClient,
  { users, log }: AuthSettings,
  library: AuthLibrary,
  arrival: ArrivalOfRequest,
): Provider {
  const { provider } = client;
  const { id, name } = provider;
  return {
    id,
    name,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => (profile as { sub: string }).sub,
    createAuthorizationURL: async ({ state, codeVerifier, redirectURI, idTokenNonce = '' }) => {
      const code_challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      try {
        return await client.authorizationUrl({ state, nonce: idTokenNonce, redirect_uri: redirectURI, code_challenge });
      } catch (error) {
        log('warn', `${id}: ${(error as Error).message}`);
        const message = `${name} cannot be reached. Try again later, or sign in in another way.`;
        throw new library.APIError('SERVICE_UNAVAILABLE', { code: 'provider_unreachable', message });
      }
    },
    validateAuthorizationCode: async ({ code, codeVerifier = '', redirectURI }) => {
      if (!(await isBegunWith(id, library))) throw new Error('the sign-in was begun with another provider');
      const { query } = (await library.contexts.getCurrentAuthContext()) as { query?: { readonly iss?: unknown } };
      await client.checkResponseIssuer(query?.iss);
      return client.redeem({ code, redirect_uri: redirectURI, code_verifier: codeVerifier });
    },
    getUserInfo: async ({ idToken = '', accessToken, expectedIdTokenNonce = '' }) => {
      try {
        const profile = await profileOf(client, { idToken, accessToken, nonce: expectedIdTokenNonce });
        const user = userOf(profile, provider);
        if (user.emailVerified) await users.removeUnverified(user.email.toLowerCase());
        const roles = rolesOfGroups(provider.groups, profile[provider.groupsClaim]);
        await arrival.set({ provider: id, roles });
        return { user, data: profile };
      } catch (error) {
        log('warn', `${id}: ${(error as Error).message}`);
        return null;
      }
    },
  };
}

type Profile = Readonly<Record<string, unknown>> & { readonly sub: string };

/** The claims of the ID token, with those of the user info where it lacks one that counts. */
async function profileOf(
  client: OpenIdClient,
  { idToken, accessToken, nonce }: { idToken: string; accessToken: string | undefined; nonce: string },
): Promise<Profile> {
  const claims = await client.idClaims(idToken, nonce);
  const { groups, groupsClaim } = client.provider;
  const wanted = ['email', 'email_verified', ...(Object.keys(groups).length > 0 ? [groupsClaim] : [])];
  if (wanted.every((claim) => claims[claim] !== undefined)) return claims;
  return { ...(await client.userInfo(accessToken, claims.sub)), ...claims };
}

/** Whoever may say an address of a domain may sign in as its people, so a provider can be held to some domains. */
function userOf(
  profile: Profile,
  { domains, trustsAddresses }: OidcProvider,
): { email: string; emailVerified: boolean; name: string } {
  const { email, email_verified: verified, name } = profile;
  if (typeof email !== 'string' || parseEmailAddress(email) === undefined) throw new Error('there is no address');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length > 0 && !domains.includes(domain)) throw new Error('the address is of another domain');
  const emailVerified = verified === true || verified === 'true' || (verified === undefined && trustsAddresses);
  return { email, emailVerified, name: typeof name === 'string' ? name : email };
}
