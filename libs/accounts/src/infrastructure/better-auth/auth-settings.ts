import { Injectable } from '@nestjs/common';
import type { Database } from '#postgres/database';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import type { AccountMail } from '../../application/account-mail.js';
import { Invitations, type Memberships } from '../../application/ports/memberships.port.js';
import type { Users } from '../../application/ports/users.port.js';
import type { PasswordHashes } from './password-hashes.js';

/** Decides by SIGN_UP who may create an account. */
@Injectable()
export class SignUpPolicy {
  constructor(
    private readonly config: Config,
    private readonly invitations: Invitations,
    private readonly clock: Clock,
  ) {}

  async mayCreate(email: string): Promise<boolean> {
    switch (this.config.values.signUp) {
      case 'open':
        return true;
      case 'closed':
        return false;
      case 'invited':
        return this.invitations.isInvited(email.toLowerCase(), this.clock.now());
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
  readonly providers: readonly SignInProvider[];
  readonly log: (level: string, message: string) => void;
  /** Something failed that is no refusal. */
  readonly failed: (error: unknown) => void;
}

/** A service with whose account people sign in. */
export interface SignInProvider {
  readonly id: 'google' | 'github';
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The issuer of an OpenID provider; its endpoints are discovered. */
  readonly issuer?: string;
  /** Base URL of a GitHub. It is no OpenID provider. */
  readonly githubUrl?: string;
}

export const sessionDays = 7;
