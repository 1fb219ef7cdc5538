/** What an API key may do: everything, or send only (docs/wire-contract.md section 2). */
export type Permission = 'full_access' | 'sending_access';

/** Who makes a request, whichever door it came through. */
export interface Caller {
  readonly teamId: string;
  readonly apiKeyId: string;
  readonly permission: Permission;
  /** Set where the key may send from this one domain only. */
  readonly domainId: string | null;
}
