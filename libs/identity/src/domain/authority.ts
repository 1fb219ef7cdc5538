import { Permission, permissionsOfKey, permissionsOfRole, ApiKeyAccess, TeamRole } from './permission.js';

/**
 * Whose permissions something has that acts by itself, after the request in which it was made: it never does more than
 * its author may do at the time. It is stored with what it is for.
 */
export type Authority =
  | { readonly kind: 'api_key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string; readonly teamId: string }
  /** A tool: what its grant allowed, as far as the user who gave it may do it. */
  | { readonly kind: 'tool'; readonly id: string; readonly permissions: readonly Permission[] };

/** What is left of an authority. Null: the key, the grant or the member is gone. */
export interface PresentAuthority {
  readonly access: ApiKeyAccess | null;
  readonly onlyDrafts?: boolean | null;
  /** Whether a tool has made the key. */
  readonly isOfTool: boolean;
  readonly role: TeamRole | null;
}

export function presentPermissions(
  authority: Authority,
  { access, onlyDrafts, isOfTool, role }: PresentAuthority,
): ReadonlySet<Permission> {
  const ofRole = role === null ? new Set<Permission>() : permissionsOfRole(role);
  switch (authority.kind) {
    case 'user':
      return ofRole;
    case 'tool':
      return new Set(authority.permissions.filter((permission) => ofRole.has(permission)));
    case 'api_key': {
      const ofKey = access === null ? new Set<Permission>() : permissionsOfKey(access, onlyDrafts === true);
      return isOfTool ? new Set([...ofKey].filter((permission) => ofRole.has(permission))) : ofKey;
    }
  }
}
