import { MissingPermissionError, RestrictedApiKeyError } from './identity-errors.js';
import {
  ApiKeyAccess,
  Permission,
  permissionsOfAccess,
  permissionsOfRole,
  permissionsOfService,
  TeamRole,
} from './permission.js';

/** Who did something, as it is recorded. */
export type Actor =
  | { readonly kind: 'api_key'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'service' };

/**
 * Who acts, in which team, and what is allowed: an API key, a signed-in user in one of their teams, or the service itself.
 *
 * A guard makes it. A handler declares the one permission that it needs, which the guard asks for. Use cases that can be
 * reached in several ways, or that record who acted, take the principal and ask it themselves. Queries take the team's id.
 */
export class Principal {
  private constructor(
    readonly teamId: string,
    readonly actor: Actor,
    private readonly granted: ReadonlySet<Permission>,
    /** Set: may act for this domain only. */
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

  static ofUser(user: { readonly id: string; readonly teamId: string; readonly role: TeamRole }): Principal {
    return new Principal(user.teamId, { kind: 'user', id: user.id }, permissionsOfRole(user.role));
  }

  /** The service itself, which writes to the people who run it through one of the teams. */
  static ofService(teamId: string): Principal {
    return new Principal(teamId, { kind: 'service' }, permissionsOfService);
  }

  may(permission: Permission): boolean {
    return this.granted.has(permission);
  }

  /** Throws RestrictedApiKeyError or MissingPermissionError where `may` says no. */
  require(permission: Permission): void {
    if (this.may(permission)) return;
    throw this.actor.kind === 'api_key' ? new RestrictedApiKeyError() : new MissingPermissionError(permission);
  }

  /** Whether it may act for this domain of its team. */
  isForDomain(domainId: string): boolean {
    return this.onlyDomainId === null || this.onlyDomainId === domainId;
  }
}
