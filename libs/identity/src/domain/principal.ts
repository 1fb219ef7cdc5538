import { MissingPermissionError, RestrictedApiKeyError } from './identity-errors.js';
import {
  ApiKeyAccess,
  operatorPermissions,
  Permission,
  permissionsOfAccess,
  permissionsOfRole,
  permissionsOfService,
  TeamRole,
} from './permission.js';

/** Who did something: an API key, a user or the service. Stored with what was done. */
export type Actor =
  | { readonly kind: 'api_key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'service' };

/**
 * Who acts, in which team, with which permissions: an API key, a signed-in user in one of their teams, or the service
 * itself.
 *
 * A guard creates it. A handler declares the one permission that it needs, and the guard checks it. Use cases that have
 * several callers, or that record who acted, take the principal and check it themselves. Queries take the team's id.
 */
export class Principal {
  private constructor(
    readonly teamId: string,
    readonly actor: Actor,
    private readonly granted: ReadonlySet<Permission>,
    /** Where set, the principal may act for this domain only. */
    private readonly onlyDomainId: string | null = null,
  ) {}

  static ofApiKey(key: {
    readonly id: string;
    readonly teamId: string;
    readonly permission: ApiKeyAccess;
    readonly domainId: string | null;
  }): Principal {
    return new Principal(
      key.teamId,
      { kind: 'api_key', id: key.id },
      permissionsOfAccess(key.permission),
      key.domainId,
    );
  }

  /** `isOperator`: the user operates the installation, whatever the role in the team is. */
  static ofUser(user: {
    readonly id: string;
    readonly teamId: string;
    readonly role: TeamRole;
    readonly isOperator?: boolean;
  }): Principal {
    const granted = new Set([
      ...permissionsOfRole(user.role),
      ...(user.isOperator === true ? operatorPermissions : []),
    ]);
    return new Principal(user.teamId, { kind: 'user', id: user.id }, granted);
  }

  /** A tool to which a user has given some of their own permissions. The user is who acts. */
  static ofTool(tool: {
    readonly userId: string;
    readonly teamId: string;
    readonly role: TeamRole;
    readonly permissions: ReadonlySet<Permission>;
  }): Principal {
    const granted = new Set([...permissionsOfRole(tool.role)].filter((permission) => tool.permissions.has(permission)));
    return new Principal(tool.teamId, { kind: 'user', id: tool.userId }, granted);
  }

  /** The service itself, which sends notices to its operators through one of the teams. */
  static ofService(teamId: string): Principal {
    return new Principal(teamId, { kind: 'service' }, permissionsOfService);
  }

  may(permission: Permission): boolean {
    return this.granted.has(permission);
  }

  /** Throws RestrictedApiKeyError or MissingPermissionError where the permission is missing. */
  require(permission: Permission): void {
    if (this.may(permission)) return;
    throw this.actor.kind === 'api_key' ? new RestrictedApiKeyError() : new MissingPermissionError(permission);
  }

  /** Whether the principal may act for this domain of its team. */
  isForDomain(domainId: string): boolean {
    return this.onlyDomainId === null || this.onlyDomainId === domainId;
  }
}
