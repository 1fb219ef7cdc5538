import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ListedSession, Sessions } from '../../application/ports/sign-in.port.js';
import { SessionUser } from '../../domain/user.js';
import { AuthSecrets, hashedSessionToken, signedToken } from '../session-token.js';

const maxListed = 100;

/** Reads and ends the sessions that better-auth has made, without loading it. */
@Injectable()
export class PostgresSessions extends Sessions {
  constructor(
    private readonly database: Database,
    private readonly secrets: AuthSecrets,
  ) {
    super();
  }

  async userOf(cookie: string): Promise<SessionUser | undefined> {
    const token = signedToken(cookie, this.secrets.current);
    if (token === undefined) return undefined;
    const [user] = await this.database.query<Row<SessionUser>>({
      name: 'user-of-session',
      text: `SELECT u.id, u.email, u.name, s.id AS "sessionId", s."authenticatedAt",
                    coalesce(u."twoFactorEnabled", false) AS "hasSecondFactor",
                    EXISTS (SELECT FROM operators o WHERE o.user_id = u.id) AS "isOperator"
             FROM auth.session s JOIN auth."user" u ON u.id = s."userId"
             WHERE s.token = $1 AND s."expiresAt" > now() AND u."emailVerified"`,
      values: [hashedSessionToken(token)],
    });
    return user;
  }

  list(userId: string): Promise<readonly ListedSession[]> {
    return this.database.query<Row<ListedSession>>({
      text: `SELECT id, "createdAt", "updatedAt" AS "lastSeenAt", coalesce("ipAddress", '') AS address,
                    left(coalesce("userAgent", ''), 300) AS "userAgent"
             FROM auth.session WHERE "userId" = $1 AND "expiresAt" > now()
             ORDER BY "createdAt" DESC, id LIMIT ${maxListed}`,
      values: [userId],
    });
  }

  async revoke(userId: string, sessionId: string): Promise<boolean> {
    const ended = await this.database.execute({
      text: 'DELETE FROM auth.session WHERE "userId" = $1 AND id = $2',
      values: [userId, sessionId],
    });
    return ended > 0;
  }

  revokeOthers(userId: string, exceptId: string): Promise<number> {
    return this.database.execute({
      text: 'DELETE FROM auth.session WHERE "userId" = $1 AND id <> $2',
      values: [userId, exceptId],
    });
  }

  async endOfSubject(provider: string, subject: string): Promise<string | undefined> {
    const [account] = await this.database.query<{ userId: string }>({
      text: `WITH ended AS (DELETE FROM auth.session s USING auth.account a
               WHERE a."providerId" = $1 AND a."accountId" = $2 AND s."userId" = a."userId")
             SELECT "userId" FROM auth.account WHERE "providerId" = $1 AND "accountId" = $2`,
      values: [provider, subject],
    });
    return account?.userId;
  }

  async confirm(sessionId: string, at: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE auth.session SET "authenticatedAt" = $2 WHERE id = $1',
      values: [sessionId, at],
    });
  }
}
