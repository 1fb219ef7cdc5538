import type { Authority } from './authority.js';
import { BeyondToolError, MissingPermissionError, RestrictedApiKeyError } from './identity-errors.js';
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

/** A tool that acts for a user, by a grant of this user. */
export interface ActingTool {
  readonly grantId: string;
  /** As the tool named itself. */
  readonly name: string;
}

/** The grant by which a tool made something, while it is in force. */
export interface GrantInForce {
  readonly tool: ActingTool;
  /** The present role of the user who allowed the tool. */
  readonly role: TeamRole;
}

/** A principal as one cell of an installation names it to another. */
export interface PrincipalStatement {
  readonly teamId: string;
  readonly actor: Actor;
  readonly granted: readonly Permission[];
  readonly onlyDomainId: string | null;
  readonly tool: ActingTool | null;
  readonly sessionId: string | null;
}

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
    /** The tool that acts, or that has made the key that acts. Null: no tool has a part in it. */
    readonly tool: ActingTool | null = null,
    /** The session of a user who is signed in. */
    readonly sessionId: string | null = null,
  ) {}

  static ofApiKey(key: {
    readonly id: string;
    readonly teamId: string;
    readonly permission: ApiKeyAccess;
    readonly domainId: string | null;
    /** For a key that a tool has made: it never does more than the user who allowed the tool. */
    readonly grant?: GrantInForce;
  }): Principal {
    const all = permissionsOfAccess(key.permission);
    const actor = { kind: 'api_key', id: key.id } as const;
    if (key.grant === undefined) return new Principal(key.teamId, actor, all, key.domainId);
    const ofUser = permissionsOfRole(key.grant.role);
    const granted = new Set([...all].filter((permission) => ofUser.has(permission)));
    return new Principal(key.teamId, actor, granted, key.domainId, key.grant.tool);
  }

  /** `isOperator`: the user operates the installation, whatever the role in the team is. */
  static ofUser(user: {
    readonly id: string;
    readonly teamId: string;
    readonly role: TeamRole;
    readonly isOperator?: boolean;
    readonly sessionId?: string;
  }): Principal {
    const granted = new Set([
      ...permissionsOfRole(user.role),
      ...(user.isOperator === true ? operatorPermissions : []),
    ]);
    return new Principal(user.teamId, { kind: 'user', id: user.id }, granted, null, null, user.sessionId ?? null);
  }

  /** A tool to which a user has given some of their own permissions. The user is who acts. */
  static ofTool(tool: {
    readonly userId: string;
    readonly teamId: string;
    readonly role: TeamRole;
    readonly permissions: ReadonlySet<Permission>;
    readonly tool: ActingTool;
  }): Principal {
    const granted = new Set([...permissionsOfRole(tool.role)].filter((permission) => tool.permissions.has(permission)));
    return new Principal(tool.teamId, { kind: 'user', id: tool.userId }, granted, null, tool.tool);
  }

  /** The service itself, which sends notices to its operators through one of the teams. */
  static ofService(teamId: string): Principal {
    return new Principal(teamId, { kind: 'service' }, permissionsOfService);
  }

  /** Whoever another cell has authenticated. Its signature must have been verified. */
  static ofStatement({ teamId, actor, granted, onlyDomainId, tool, sessionId }: PrincipalStatement): Principal {
    return new Principal(teamId, actor, new Set(granted), onlyDomainId, tool, sessionId);
  }

  statement(): PrincipalStatement {
    const { teamId, actor, onlyDomainId, tool, sessionId } = this;
    return { teamId, actor, granted: [...this.granted], onlyDomainId, tool, sessionId };
  }

  /** For what goes on to act after the request. Null: the service itself, which nobody's permissions bound. */
  authority(): Authority | null {
    const { actor, tool, teamId } = this;
    if (actor.kind === 'service') return null;
    if (actor.kind === 'api_key') return { kind: 'api_key', id: actor.id };
    if (tool === null) return { kind: 'user', id: actor.id, teamId };
    return { kind: 'tool', id: tool.grantId, permissions: [...this.granted] };
  }

  may(permission: Permission): boolean {
    return this.granted.has(permission);
  }

  /** Throws RestrictedApiKeyError or MissingPermissionError if the permission is missing. */
  require(permission: Permission): void {
    if (this.may(permission)) return;
    throw this.actor.kind === 'api_key' ? new RestrictedApiKeyError() : new MissingPermissionError(permission);
  }

  /** Throws BeyondToolError if a tool would make something that may do more than the tool itself. */
  requireToPassOn(passedOn: Iterable<Permission>): void {
    if (this.tool === null) return;
    for (const permission of passedOn) if (!this.may(permission)) throw new BeyondToolError(permission);
  }

  /** Whether the principal may act for this domain of its team. */
  isForDomain(domainId: string): boolean {
    return this.onlyDomainId === null || this.onlyDomainId === domainId;
  }
}
