import { Principal } from '#identity';

/** What a login leaves behind for the rest of the session. */
export interface Login {
  readonly apiKey: string;
  readonly teamId: string;
  /** Who is sending the message that is under way. */
  principal?: Principal;
}
