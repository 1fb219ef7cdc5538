/** Secrets with which the calls of a team are signed. */
export interface CallSecrets {
  readonly current: string;
  /** For a while after a new secret. */
  readonly previous: string | undefined;
}

/** Stores the secrets of all teams, encrypted. A team has one from when it first needs it. */
export abstract class CallSecretRepository {
  abstract of(teamId: string, now: Date): Promise<CallSecrets>;

  /** Replaces the secret. The one before it, if there is one, signs as well until a time. */
  abstract rotate(teamId: string, secret: string, previousUntil: Date): Promise<void>;

  /** Encrypts all secrets with the present key of the service. */
  abstract reseal(): Promise<void>;
}
