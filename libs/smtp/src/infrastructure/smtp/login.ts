import { Principal } from '#identity';

/** The result of a login, kept for the rest of the session. */
export interface Login {
  readonly apiKey: string;
  readonly teamId: string;
  /** The sender of the message that is under way. */
  principal?: Principal;
}
