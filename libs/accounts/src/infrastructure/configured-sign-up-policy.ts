import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { Invitations } from '../application/ports/invitations.port.js';
import { SignUpPolicy } from '../application/sign-up-policy.js';

/** Decides by SIGN_UP. */
@Injectable()
export class ConfiguredSignUpPolicy extends SignUpPolicy {
  constructor(
    private readonly config: Config,
    private readonly invitations: Invitations,
    private readonly clock: Clock,
  ) {
    super();
  }

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
