import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { AuthLibrary } from './auth-library.js';
import type { AuthSettings, GithubSettings } from './auth-settings.js';
import { isBegunWith } from './open-id-sign-in.js';

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
export function github(
  { clientId, clientSecret, url }: GithubSettings,
  { users }: AuthSettings,
  library: AuthLibrary,
): GenericOAuthConfig {
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
  return {
    providerId: 'github',
    clientId,
    clientSecret,
    authorizationUrl: `${url}/login/oauth/authorize`,
    tokenUrl: `${url}/login/oauth/access_token`,
    scopes: ['read:user', 'user:email'],
    pkce: true,
    getUserInfo: async ({ accessToken }) => {
      if (!(await isBegunWith('github', library))) return null;
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
      // Whoever signed up with the address and never verified it must not keep its owner out.
      await users.removeUnverified(address.email.toLowerCase());
      return { id: String(user.id), email: address.email, emailVerified: true, name: user.name ?? user.login };
    },
  };
}
