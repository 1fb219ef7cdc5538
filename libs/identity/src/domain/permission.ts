/** All permissions. An action without a permission here is open to every principal. */
export const permissions = [
  'api-keys:read',
  'api-keys:write',
  /** Contacts, their properties, segments and topics. */
  'audience:read',
  'audience:write',
  /** The audit log, which names people and their addresses. */
  'audit:read',
  /** Automations and the events with which they begin. */
  'automations:read',
  'automations:write',
  'broadcasts:read',
  /** Sending broadcasts. Separate from `broadcasts:write`, because a sending key may send what others have written. */
  'broadcasts:send',
  'broadcasts:write',
  'domains:read',
  'domains:write',
  'emails:read',
  /** Sending emails. Separate from `emails:write`, because a sending key only sends. */
  'emails:send',
  /** Changes to an accepted email: reschedule, cancel, share. */
  'emails:write',
  'logs:read',
  'metrics:read',
  /** Reading everything that is stored about an address, and erasing it. */
  'privacy:erase',
  'privacy:export',
  'routes:read',
  'routes:write',
  'sandbox:read',
  'suppressions:read',
  'suppressions:write',
  'templates:read',
  'templates:write',
  'team:read',
  /** Members, their roles, invitations, and the name of the team. */
  'team:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;

/** What only the operator of the installation may do: it concerns all teams. */
export const operatorPermissions = ['installation:read', 'installation:write'] as const;

export type Permission = (typeof permissions)[number] | (typeof operatorPermissions)[number];

/** The two kinds of API key: full access, or sending only (docs/wire-contract.md section 2). */
export type ApiKeyAccess = 'full_access' | 'sending_access';

/** The role of a user in a team. */
export type TeamRole = 'owner' | 'admin' | 'developer' | 'viewer';

const all: ReadonlySet<Permission> = new Set(permissions);
const sending: ReadonlySet<Permission> = new Set<Permission>(['emails:send', 'broadcasts:send']);
const reading: ReadonlySet<Permission> = new Set(
  permissions.filter((permission) => permission.endsWith(':read') && permission !== 'audit:read'),
);
/**
 * Developers cannot create API keys: a key with full access can do more than a developer, and keeps working after the
 * developer has left the team. Nor do they decide who is in the team, read what its people did, or handle requests of
 * people about their data.
 */
const administering: ReadonlySet<Permission> = new Set<Permission>([
  'api-keys:write',
  'audit:read',
  'privacy:erase',
  'privacy:export',
  'team:write',
]);
const developing: ReadonlySet<Permission> = new Set(permissions.filter((permission) => !administering.has(permission)));

/**
 * Of a key that only drafts: it reads, and writes what a person sends. It makes no key, automation, route or webhook, and no
 * template, with which others send.
 */
const drafting: ReadonlySet<Permission> = new Set<Permission>([...reading, 'broadcasts:write', 'emails:write']);

export function permissionsOfAccess(access: ApiKeyAccess): ReadonlySet<Permission> {
  switch (access) {
    case 'full_access':
      return all;
    case 'sending_access':
      return sending;
  }
}

export function permissionsOfKey(access: ApiKeyAccess, onlyDrafts: boolean): ReadonlySet<Permission> {
  return onlyDrafts ? drafting : permissionsOfAccess(access);
}

export function permissionsOfRole(role: TeamRole): ReadonlySet<Permission> {
  switch (role) {
    case 'owner':
    case 'admin':
      return all;
    case 'developer':
      return developing;
    case 'viewer':
      return reading;
  }
}

/** Of a sending key whose mail is narrowed by recipients or by day: it may not send what others have chosen. */
export const permissionsOfNarrowedKey: ReadonlySet<Permission> = new Set<Permission>(['emails:send']);

/** The service itself sends notices in the name of a team, and unsubscribes the recipients who ask for it. */
export const permissionsOfService: ReadonlySet<Permission> = new Set<Permission>(['emails:send', 'audience:write']);
