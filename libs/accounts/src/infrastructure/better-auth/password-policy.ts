import { PasswordSignInOffError } from '../../domain/accounts-errors.js';
import { PasswordPolicy } from '../../application/ports/sign-in-providers.port.js';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthLibrary } from './auth-library.js';
import type { AuthSettings } from './auth-settings.js';

/** Decides by PASSWORD_SIGN_IN and PASSWORD_SIGN_IN_OFF_DOMAINS for which addresses a password counts. */
@Injectable()
export class ConfiguredPasswordPolicy extends PasswordPolicy {
  constructor(private readonly config: Config) {
    super();
  }

  get isOff(): boolean {
    return this.config.values.passwordSignIn === 'off';
  }

  isOffFor(email: string): boolean {
    return this.isOff || this.isOfOffDomain(email);
  }

  isOfOffDomain(email: string): boolean {
    const domain = email.slice(email.lastIndexOf('@') + 1).trim();
    return this.config.values.passwordSignInOffDomains.includes(domain.toLowerCase());
  }

  check(email: string): void {
    if (this.isOffFor(email)) throw new PasswordSignInOffError();
  }
}

/**
 * Refuses passwords where the policy does: to sign in, to sign up, to set and to change one. An address of a domain without
 * passwords is not changed either, since a person with another address could use one.
 */
export function passwordsByPolicy({ passwords }: AuthSettings, library: AuthLibrary): BetterAuthPlugin {
  const refuseIf = (isRefused: boolean): void => {
    const { code, message } = new PasswordSignInOffError();
    if (isRefused) throw new library.APIError('FORBIDDEN', { code, message });
  };
  return {
    id: 'passwords-by-policy',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-in/email' || path === '/sign-up/email',
          handler: library.createAuthMiddleware(async ({ body }) => {
            const { email } = (body ?? {}) as { email?: unknown };
            refuseIf(typeof email === 'string' && passwords.isOffFor(email));
          }),
        },
        {
          matcher: ({ path }) => path === '/reset-password',
          handler: library.createAuthMiddleware(async (ctx) => {
            const { token } = (ctx.body ?? {}) as { token?: unknown };
            if (typeof token !== 'string') return;
            const { internalAdapter } = ctx.context;
            const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
            const user = found == null ? null : await internalAdapter.findUserById(found.value);
            refuseIf(user !== null && passwords.isOffFor(user.email));
          }),
        },
        {
          matcher: ({ path }) => path === '/change-password' || path === '/change-email',
          handler: library.createAuthMiddleware(async (ctx) => {
            const email = (await library.getSessionFromCtx(ctx))?.user.email ?? '';
            refuseIf(ctx.path === '/change-email' ? passwords.isOfOffDomain(email) : passwords.isOffFor(email));
          }),
        },
      ],
    },
  };
}
