/** No logout token is taken that is older. */
export const maxLogoutTokenSeconds = 300;

export interface ShownProvider {
  readonly id: string;
  readonly name: string;
  /** `https:` or `data:` URL. */
  readonly logo: string | null;
}

/** The OpenID providers with which people may sign in. */
export abstract class SignInProviders {
  abstract readonly shown: readonly ShownProvider[];

  /** Undefined: there is no such provider. Rejects if the token is not a valid logout token of the provider. */
  abstract logoutClaims(id: string, token: string): Promise<{ readonly sub: string; readonly jti: string }> | undefined;

  /** Asks each provider whether it answers. `trouble` is absent where all is well. */
  abstract ask(): Promise<readonly { readonly name: string; readonly issuer: string; readonly trouble?: string }[]>;
}

/** Decides for which addresses a password counts. */
export abstract class PasswordPolicy {
  /** For everybody. */
  abstract readonly isOff: boolean;

  abstract isOffFor(email: string): boolean;

  abstract isOfOffDomain(email: string): boolean;

  /** Throws PasswordSignInOffError. */
  abstract check(email: string): void;
}
