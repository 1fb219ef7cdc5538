import { SessionUser } from '../../domain/user.js';

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

  /** Notes that the user has just proven again who they are. */
  abstract confirm(sessionId: string, at: Date): Promise<void>;
}
