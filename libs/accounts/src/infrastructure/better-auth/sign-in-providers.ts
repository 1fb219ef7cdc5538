import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Users } from '../../application/ports/users.port.js';
import type { SignInProvider } from './auth-settings.js';

/** The built-in providers of better-auth cannot be pointed at another address, so these are declared like any other. */
export function providersOf(providers: readonly SignInProvider[], users: Users): GenericOAuthConfig[] {
  return providers.map((provider) => ({
    ...(provider.githubUrl === undefined ? openId(provider) : github(provider)),
    // Whoever signed up with the address and never verified it must not keep its owner out.
    mapProfileToUser: async (profile: Record<string, unknown>) => {
      const { email, email_verified, emailVerified } = profile;
      const isVerified = email_verified === true || emailVerified === true;
      if (isVerified && typeof email === 'string') await users.removeUnverified(email.toLowerCase());
      return {};
    },
  }));
}

function openId({ id, clientId, clientSecret, issuer = '' }: SignInProvider): GenericOAuthConfig {
  return {
    providerId: id,
    clientId,
    clientSecret,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
  };
}

interface GithubUser {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  readonly avatar_url?: string;
}

interface GithubEmail {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

const maxAnswerMs = 10_000;

/**
 * GitHub is no OpenID provider, and the address in its profile may be hidden or unverified: `/user/emails` says which
 * is.
 */
function github({ id, clientId, clientSecret, githubUrl = '' }: SignInProvider): GenericOAuthConfig {
  const api = githubUrl === 'https://github.com' ? 'https://api.github.com' : `${githubUrl}/api/v3`;
  return {
    providerId: id,
    clientId,
    clientSecret,
    authorizationUrl: `${githubUrl}/login/oauth/authorize`,
    tokenUrl: `${githubUrl}/login/oauth/access_token`,
    scopes: ['read:user', 'user:email'],
    pkce: true,
    getUserInfo: async ({ accessToken }) => {
      const read = async (path: string): Promise<unknown> => {
        const response = await fetch(`${api}${path}`, {
          headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'postrider' },
          signal: AbortSignal.timeout(maxAnswerMs),
        });
        if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
        return response.json();
      };
      const [user, emails] = (await Promise.all([read('/user'), read('/user/emails')])) as [GithubUser, GithubEmail[]];
      const address = emails.find(({ primary, verified }) => primary && verified);
      if (address === undefined) return null;
      return { id: String(user.id), email: address.email, emailVerified: true, name: user.name ?? user.login };
    },
  };
}
