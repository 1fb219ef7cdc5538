import { domainOf } from '#kernel';
import type { Authority } from './authority.js';
import { BeyondToolError, MissingPermissionError, RestrictedApiKeyError } from './identity-errors.js';
import { BroadcastNotAllowedError, OnlyDraftsError, RecipientNotAllowedError } from './key-policies.js';
import type { SendingPolicies } from './key-policies.js';
import {
  ApiKeyAccess,
  operatorPermissions,
  Permission,
  permissionsOfKey,
  permissionsOfNarrowedKey,
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
  /** Absent where cells of an older version pass it on. */
  readonly policies?: SendingPolicies | null;
  readonly onlyDrafts?: boolean;
}

/** What narrows an API key beyond its permissions. */
interface Bounds {
  /** Where set, the principal may act for this domain only. */
  readonly onlyDomainId: string | null;
  readonly policies: SendingPolicies | null;
  readonly onlyDrafts?: boolean;
}

const unbounded: Bounds = { onlyDomainId: null, policies: null };

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
    private readonly bounds: Bounds = unbounded,
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
    readonly allowedRecipientDomains?: readonly string[] | null;
    readonly dailyLimit?: number | null;
    readonly onlyDrafts?: boolean;
    /** For a key that a tool has made: it never does more than the user who allowed the tool. */
    readonly grant?: GrantInForce;
  }): Principal {
    const { teamId, domainId, grant, allowedRecipientDomains = null, dailyLimit = null, onlyDrafts = false } = key;
    const actor = { kind: 'api_key', id: key.id } as const;
    const isNarrowed = allowedRecipientDomains !== null || dailyLimit !== null;
    const policies = isNarrowed ? { allowedRecipientDomains, dailyLimit } : null;
    const all = isNarrowed ? permissionsOfNarrowedKey : permissionsOfKey(key.permission, onlyDrafts);
    const ofUser = grant === undefined ? all : permissionsOfRole(grant.role);
    const granted = ofUser === all ? all : new Set([...all].filter((permission) => ofUser.has(permission)));
    return new Principal(teamId, actor, granted, { onlyDomainId: domainId, policies, onlyDrafts }, grant?.tool ?? null);
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
    return new Principal(user.teamId, { kind: 'user', id: user.id }, granted, unbounded, null, user.sessionId ?? null);
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
    return new Principal(tool.teamId, { kind: 'user', id: tool.userId }, granted, unbounded, tool.tool);
  }

  /** The service itself, which sends notices to its operators through one of the teams. */
  static ofService(teamId: string): Principal {
    return new Principal(teamId, { kind: 'service' }, permissionsOfService);
  }

  /** Whoever another cell has authenticated. Its signature must have been verified. */
  static ofStatement(statement: PrincipalStatement): Principal {
    const { teamId, actor, granted, onlyDomainId, tool, sessionId, policies = null, onlyDrafts = false } = statement;
    return new Principal(teamId, actor, new Set(granted), { onlyDomainId, policies, onlyDrafts }, tool, sessionId);
  }

  statement(): PrincipalStatement {
    const { teamId, actor, bounds, tool, sessionId } = this;
    return { teamId, actor, granted: [...this.granted], ...bounds, tool, sessionId };
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

  /** Throws RestrictedApiKeyError, MissingPermissionError or the refusal of a rule if the permission is missing. */
  require(permission: Permission): void {
    if (this.may(permission)) return;
    if (permission === 'broadcasts:send' && this.bounds.policies !== null)
      throw new BroadcastNotAllowedError(this.bounds.policies);
    if (this.bounds.onlyDrafts === true) throw new OnlyDraftsError();
    throw this.actor.kind === 'api_key' ? new RestrictedApiKeyError() : new MissingPermissionError(permission);
  }

  /** Throws BeyondToolError if a tool would make something that may do more than the tool itself. */
  requireToPassOn(passedOn: Iterable<Permission>): void {
    if (this.tool === null) return;
    for (const permission of passedOn) if (!this.may(permission)) throw new BeyondToolError(permission);
  }

  /** Recipients to whom the principal may send in a day (UTC). Null: as many as its team. */
  get dailyLimit(): number | null {
    return this.bounds.policies?.dailyLimit ?? null;
  }

  /** Throws RecipientNotAllowedError for the first address to which the principal may not send. */
  requireRecipients(addresses: readonly string[]): void {
    const domains = this.bounds.policies?.allowedRecipientDomains;
    if (domains === undefined || domains === null) return;
    const other = addresses
      .map((address) => domainOf(address).toLowerCase())
      .find((domain) => !domains.includes(domain));
    if (other !== undefined) throw new RecipientNotAllowedError(other);
  }

  /** Whether the principal may act for this domain of its team. */
  isForDomain(domainId: string): boolean {
    return this.bounds.onlyDomainId === null || this.bounds.onlyDomainId === domainId;
  }
}
