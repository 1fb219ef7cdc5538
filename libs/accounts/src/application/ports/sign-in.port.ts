/** A request to the endpoints under `/auth`, after it has passed the checks of the door. */
export interface SignInRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Address of the client, from its connection or a trusted proxy. */
  readonly address: string;
  /** The origin of this service by which the client reached it. */
  readonly origin: string;
}

/** Signs people in and out: passwords, Google and GitHub, second factors, passkeys, and the mail about them. */
export abstract class SignIn {
  /** Never throws for anything the client did: refusals are responses. */
  abstract handle(request: SignInRequest): Promise<Response>;

  /** Creates a user whose address counts as verified, with a password. Refuses an address that has a user. */
  abstract createUser(user: {
    readonly email: string;
    readonly name: string;
    readonly password: string;
  }): Promise<string>;

  /** Sets a password and ends all sessions and tools of the user. */
  abstract setPassword(userId: string, password: string): Promise<void>;

  /** Whether this is the user's password. Takes as long if the user has none. */
  abstract isPassword(userId: string, password: string): Promise<boolean>;
}
