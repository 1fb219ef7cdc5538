import { SessionUser } from '../../domain/user.js';

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

/** Signs people in and out: passwords, OpenID providers and GitHub, second factors, passkeys, and the mail about them. */
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

/** A session as its user sees it. It carries nothing that would authenticate. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

/** The sessions of users. They are made by `SignIn`. */
export abstract class Sessions {
  /** The user of a cookie's value. Returns undefined if the cookie is forged or the session has ended. */
  abstract userOf(cookie: string): Promise<SessionUser | undefined>;

  /** Newest first, at most 100. */
  abstract list(userId: string): Promise<readonly ListedSession[]>;

  /** Returns false if the user has no such session. */
  abstract revoke(userId: string, sessionId: string): Promise<boolean>;

  /** Ends all sessions of a user but one, and returns how many. */
  abstract revokeOthers(userId: string, exceptId: string): Promise<number>;

  /** Ends all sessions of the user whose account with the provider is `subject`. Returns the user, if there is one. */
  abstract endOfSubject(provider: string, subject: string): Promise<string | undefined>;

  /** Notes that the user has just proven again who they are. */
  abstract confirm(sessionId: string, at: Date): Promise<void>;
}

/** The origin at which people reach this service. */
export abstract class OwnOrigin {
  /** Scheme, host and port. Links in mail start with it, never with the `Host` of a request. */
  abstract readonly value: string;

  /** Whether a page with this origin is a page of this service. `host` is the one that the request was sent to. */
  abstract isOwn(origin: string, host: string | undefined): boolean;
}

/** The token of the link that makes the first owner. It stays the same until SECRET_KEY changes. */
export abstract class OwnerLinks {
  abstract token(): string;

  abstract accepts(token: string): boolean;
}
