import { permissions } from '#identity';
import type { Permission } from '#identity';
import { OAuthError } from './oauth-error.js';

/** What a tool may ask for. It never gets more than the user who allows it has. */
export const knownScopes: readonly string[] = ['full_access', 'sending_access', ...permissions];

export function parseScopes(text: string | undefined): readonly string[] {
  const scopes = [...new Set((text ?? 'full_access').split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0 || scopes.some((scope) => !knownScopes.includes(scope))) {
    throw new OAuthError('invalid_scope', `The scope must be of ${knownScopes.join(' ')}.`);
  }
  return scopes;
}

export function permissionsOfScopes(scopes: readonly string[]): ReadonlySet<Permission> {
  if (scopes.includes('full_access')) return new Set(permissions);
  const sending: readonly Permission[] = scopes.includes('sending_access') ? ['emails:send', 'broadcasts:send'] : [];
  return new Set([...sending, ...permissions.filter((permission) => scopes.includes(permission))]);
}
