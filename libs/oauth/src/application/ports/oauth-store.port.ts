import type { TeamRole } from '#identity';
import { Page, PageRequest } from '#kernel';
import { OAuthClient } from '../../domain/client.js';

export interface AuthorizationCode {
  readonly codeHash: Buffer;
  readonly clientId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: Date;
}

/** That a user lets a tool act in a team. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly logoUri: string | null;
  readonly teamId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedReason: string | null;
}

/** A grant that is in force, with the present role of its user in the team. */
export interface LiveGrant {
  readonly teamId: string;
  readonly userId: string;
  readonly role: TeamRole;
  readonly scopes: readonly string[];
}

export interface NewRefreshToken {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/** Clients, codes and grants. Tokens are stored only as hashes. */
export abstract class OAuthStore {
  abstract addClient(client: OAuthClient): Promise<void>;

  abstract findClient(id: string): Promise<OAuthClient | undefined>;

  abstract addCode(code: AuthorizationCode): Promise<void>;

  /**
   * Uses a code: gives it to one caller only, and makes its grant. `reused`: the code was used before; its grant is revoked, because
   * one of the two callers has stolen it.
   */
  abstract redeemCode(
    codeHash: Buffer,
    check: (code: AuthorizationCode) => void,
    refresh: NewRefreshToken,
  ): Promise<Grant | 'unknown' | 'reused'>;

  /** Replaces the refresh token. `reused`: the token was replaced before, and the grant is revoked. */
  abstract rotate(tokenHash: Buffer, clientId: string, refresh: NewRefreshToken): Promise<Grant | 'unknown' | 'reused'>;

  /** Called on every request of a tool: one indexed read. Undefined where it was revoked, or its user has left the team. */
  abstract findLive(grantId: string): Promise<LiveGrant | undefined>;

  abstract list(teamId: string, page: PageRequest): Promise<Page<Grant>>;

  /** Undefined where the team has no such grant. A grant that was revoked before keeps its time. */
  abstract revoke(teamId: string, id: string, reason: string): Promise<Grant | undefined>;

  abstract revokeByRefreshToken(tokenHash: Buffer, clientId: string): Promise<void>;

  abstract revokeById(id: string, clientId: string): Promise<void>;
}
