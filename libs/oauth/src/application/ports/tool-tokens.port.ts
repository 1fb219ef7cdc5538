export interface AccessClaims {
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scope: string;
}

/** Makes and checks the tokens of tools. */
export abstract class ToolTokens {
  /** Seconds for which an access token is valid. */
  abstract readonly accessSeconds: number;

  /** A JWT, of which clients read the time of its end. */
  abstract access(claims: AccessClaims, now: Date): string;

  /** Undefined where the token was not made here, or has expired. */
  abstract open(token: string, now: Date): AccessClaims | undefined;

  /** 256 random bits. */
  abstract opaque(): string;

  abstract hash(token: string): Buffer;

  /** Whether `verifier` is the secret of a PKCE challenge with S256 (RFC 7636). */
  abstract fits(verifier: string, challenge: string): boolean;
}
