import { SignInProviders } from '#accounts';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, yellow } from '../check.js';

/** Whether the OpenID providers with which people sign in answer. No finding where none is configured. */
@Injectable()
export class OpenIdCheck extends DoctorCheck {
  readonly name = 'Sign-in providers';

  constructor(private readonly providers: SignInProviders) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const fix = 'Check the issuer in OIDC_PROVIDERS or GOOGLE_ISSUER, and whether this machine reaches it.';
    return (await this.providers.ask()).map(({ name, issuer, trouble }) =>
      trouble === undefined ? green(`answers at ${issuer}`, name) : yellow(`cannot be used: ${trouble}`, fix, name),
    );
  }
}
