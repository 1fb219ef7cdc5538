import type { TeamRole } from '#identity';
import { Page, PageRequest, Transaction } from '#kernel';
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
  readonly clientName: string;
  readonly teamId: string;
  readonly userId: string;
  readonly role: TeamRole;
  readonly scopes: readonly string[];
}

export interface NewRefreshToken {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Somebody has used a code or a token twice. `reused`: the grant, which has been revoked, because one of the two has
 * stolen it.
 */
export type Issued = Grant | 'unknown' | { readonly reused: Grant };

/** Runs in the transaction that revokes the grant. */
export type WhenReused = (grant: Grant, transaction: Transaction) => Promise<void>;

export interface Redemption {
  /** Of the new grant. */
  readonly id: string;
  /** Throws if the code is not for this client. */
  readonly check: (code: AuthorizationCode) => void;
  readonly refresh: NewRefreshToken;
  readonly whenReused: WhenReused;
}

export interface PresentedToken {
  readonly hash: Buffer;
  /** The grant that the token names. */
  readonly grantId: string | undefined;
}

/** Clients, codes and grants. Tokens are stored only as hashes. */
export abstract class OAuthStore {
  abstract addClient(client: OAuthClient): Promise<void>;

  abstract findClient(id: string): Promise<OAuthClient | undefined>;

  abstract addCode(code: AuthorizationCode): Promise<void>;

  /** Uses a code: gives it to one caller only, and makes its grant. */
  abstract redeemCode(codeHash: Buffer, redemption: Redemption): Promise<Issued>;

  /** Replaces the refresh token. Any earlier token of the grant is `reused` (RFC 9700 section 4.14.2). */
  abstract rotate(
    token: PresentedToken,
    clientId: string,
    refresh: NewRefreshToken,
    whenReused: WhenReused,
  ): Promise<Issued>;

  /** Called on every request of a tool: one indexed read. Undefined once the grant has ended. */
  abstract findLive(grantId: string): Promise<LiveGrant | undefined>;

  abstract find(teamId: string, id: string): Promise<Grant | undefined>;

  abstract list(teamId: string, page: PageRequest): Promise<Page<Grant>>;

  /** Returns undefined if the team has no such grant. A grant that was revoked before keeps its time. */
  abstract revoke(teamId: string, id: string, reason: string): Promise<Grant | undefined>;

  abstract revokeByRefreshToken(tokenHash: Buffer, clientId: string): Promise<void>;

  abstract revokeById(id: string, clientId: string): Promise<void>;
}
