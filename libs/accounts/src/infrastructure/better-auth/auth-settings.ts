import { Injectable } from '@nestjs/common';
import type { Database } from '#postgres/database';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import type { AccountMail } from '../../application/account-mail.js';
import { Invitations, type Memberships } from '../../application/ports/memberships.port.js';
import type { Users } from '../../application/ports/users.port.js';
import type { FollowGroups } from '../../application/follow-groups.use-case.js';
import type { OpenIdClient } from '../open-id/open-id-client.js';
import type { PasswordHashes } from './password-hashes.js';
import type { PasswordPolicy } from '../../application/ports/sign-in-providers.port.js';

/** Decides by SIGN_UP who may create an account. Whom the groups of a provider give a team is invited by them. */
@Injectable()
export class SignUpPolicy {
  constructor(
    private readonly config: Config,
    private readonly invitations: Invitations,
    private readonly clock: Clock,
  ) {}

  async mayCreate(email: string, hasTeam: boolean): Promise<boolean> {
    switch (this.config.values.signUp) {
      case 'open':
        return true;
      case 'closed':
        return false;
      case 'invited':
        return hasTeam || this.invitations.isInvited(email.toLowerCase(), this.clock.now());
    }
  }
}

/** What the sign-in library needs from this program. */
export interface AuthSettings {
  readonly database: Database;
  /** Origin at which people reach the service. Links in mail start with it, never with the `Host` of a request. */
  readonly origin: string;
  /** The current secret first. Earlier ones only decrypt. */
  readonly secrets: readonly { readonly id: number; readonly value: string }[];
  readonly mail: AccountMail;
  readonly policy: SignUpPolicy;
  readonly users: Users;
  readonly hashes: PasswordHashes;
  readonly memberships: Memberships;
  readonly passwords: PasswordPolicy;
  readonly github: GithubSettings | undefined;
  readonly openIdClients: readonly OpenIdClient[];
  readonly groups: FollowGroups;
  readonly log: (level: string, message: string) => void;
  /** Something failed that is no refusal. */
  readonly failed: (error: unknown) => void;
}

export interface GithubSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly url: string;
}

export const sessionDays = 7;

/** Set by this program from the connection. Copies that clients send are dropped. */
export const clientAddressHeader = 'x-postrider-client-address';
/** Set if the request came from this service under another name, for example `localhost`. */
export const ownOriginHeader = 'x-postrider-own-origin';
