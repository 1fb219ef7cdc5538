import { GoogleDay } from '../../domain/google-day.js';

/** An account that domains are shared with. */
export interface PostmasterAccount {
  /** The address that owners of domains invite. */
  readonly email: string;
  /** The domains that are shared with it, in lower case. Throws `ProviderTrouble`. */
  domains(): Promise<readonly string[]>;
  /**
   * The days from the first to the last one that Google has figures of. `not_shared`: Google refuses to tell about this
   * domain. Throws `ProviderTrouble`.
   */
  daysOf(domain: string, first: string, last: string): Promise<readonly GoogleDay[] | 'not_shared'>;
}

/** Google Postmaster Tools. Nothing of it is asked but by the daily import. */
export abstract class PostmasterTools {
  abstract readonly isConfigured: boolean;

  /** Signs in with the key of the operator. Throws `ProviderTrouble`. */
  abstract signIn(): Promise<PostmasterAccount>;
}
