import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { SignUpPolicy } from '../application/sign-up-policy.js';

/** Decides by SIGN_UP. */
@Injectable()
export class ConfiguredSignUpPolicy extends SignUpPolicy {
  constructor(
    private readonly config: Config,
    protected readonly database: Database,
  ) {
    super();
  }

  async mayCreate(_email: string): Promise<boolean> {
    return this.config.values.signUp === 'open';
  }
}
