import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { Invitations } from '../application/ports/memberships.port.js';

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
