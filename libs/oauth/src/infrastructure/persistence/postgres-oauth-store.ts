import { Page, pageOf, PageRequest } from '#kernel';
import { Database, DatabaseTransaction, keysetCondition, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  AuthorizationCode,
  Grant,
  Issued,
  LiveGrant,
  NewRefreshToken,
  OAuthStore,
  PresentedToken,
  Redemption,
  WhenReused,
} from '../../application/ports/oauth-store.port.js';
import { commandLineClient, OAuthClient } from '../../domain/client.js';

const grants = `SELECT id, "clientId", "clientName", "logoUri", team_id AS "teamId", "userId", scopes, "createdAt",
  "revokedAt", "revokedReason" FROM (
    SELECT g.id, g.client_id AS "clientId", coalesce(c.name, '${commandLineClient.name}') AS "clientName",
      c.logo_uri AS "logoUri", g.team_id, g.user_id AS "userId", g.scopes, g.created_at AS "createdAt",
      coalesce(g.revoked_at, e.tools_ended_at) AS "revokedAt",
      coalesce(g.revoked_reason, CASE WHEN e.tools_ended_at IS NOT NULL THEN 'password_reset' END) AS "revokedReason"
    FROM oauth_grants g LEFT JOIN oauth_clients c ON c.id = g.client_id
    LEFT JOIN published_team_members e ON e.team_id = g.team_id AND e.user_id = g.user_id
      AND e.tools_ended_at >= g.created_at) AS found`;
/** Whether the user still wants what was allowed at `created_at`. */
const isWanted = (allowed: string): string => `EXISTS (SELECT FROM published_team_members m
  WHERE m.team_id = ${allowed}.team_id AND m.user_id = ${allowed}.user_id
    AND (m.tools_ended_at IS NULL OR ${allowed}.created_at > m.tools_ended_at))`;

@Injectable()
export class PostgresOAuthStore extends OAuthStore {
  constructor(private readonly database: Database) {
    super();
  }

  async addClient({ id, name, logoUri, redirectUris, secretHash, createdAt }: OAuthClient): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO oauth_clients (id, name, logo_uri, redirect_uris, secret_hash, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [id, name, logoUri, redirectUris, secretHash, createdAt],
    });
  }

  async findClient(id: string): Promise<OAuthClient | undefined> {
    const [client] = await this.database.query<Row<OAuthClient>>({
      text: `SELECT id, name, logo_uri AS "logoUri", redirect_uris AS "redirectUris", secret_hash AS "secretHash",
                    created_at AS "createdAt" FROM oauth_clients WHERE id = $1`,
      values: [id],
    });
    return client;
  }

  async addCode(code: AuthorizationCode): Promise<void> {
    await this.database.execute({
      text: `INSERT INTO oauth_codes (code_hash, client_id, team_id, user_id, scopes, redirect_uri, challenge, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [
        code.codeHash,
        code.clientId,
        code.teamId,
        code.userId,
        code.scopes,
        code.redirectUri,
        code.challenge,
        code.expiresAt,
      ],
    });
  }

  redeemCode(codeHash: Buffer, { id, check, refresh, whenReused }: Redemption): Promise<Issued> {
    return this.database.run(async (transaction) => {
      const [code] = await transaction.query<Row<StoredCode>>({
        text: `SELECT code_hash AS "codeHash", client_id AS "clientId", team_id AS "teamId", user_id AS "userId", scopes,
                      redirect_uri AS "redirectUri", challenge, created_at AS "createdAt", expires_at AS "expiresAt",
                      grant_id AS "grantId"
               FROM oauth_codes c WHERE code_hash = $1 AND ${isWanted('c')} FOR UPDATE`,
        values: [codeHash],
      });
      if (code === undefined) return 'unknown';
      if (code.grantId !== null) {
        return endReused(transaction, 'id = $1', [code.grantId], 'code_reused', whenReused);
      }
      check(code);
      // The time of the user's consent: what was allowed before a password was reset ends with it.
      await transaction.execute({
        text: `INSERT INTO oauth_grants (id, client_id, team_id, user_id, scopes, created_at, refresh_hash, refresh_expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        values: [
          id,
          code.clientId,
          code.teamId,
          code.userId,
          code.scopes,
          code.createdAt,
          refresh.hash,
          refresh.expiresAt,
        ],
      });
      await transaction.execute({
        text: 'UPDATE oauth_codes SET grant_id = $2 WHERE code_hash = $1',
        values: [codeHash, id],
      });
      return read(transaction, id);
    });
  }

  rotate(token: PresentedToken, clientId: string, refresh: NewRefreshToken, whenReused: WhenReused): Promise<Issued> {
    const { hash, grantId } = token;
    return this.database.run(async (transaction) => {
      const [rotated] = await transaction.query<{ id: string }>({
        text: `UPDATE oauth_grants g SET refresh_hash = $3, refresh_expires_at = $4, replaced_hash = $1
               WHERE refresh_hash = $1 AND client_id = $2 AND revoked_at IS NULL AND refresh_expires_at > now()
                 AND ${isWanted('g')} RETURNING id`,
        values: [hash, clientId, refresh.hash, refresh.expiresAt],
      });
      if (rotated !== undefined) return read(transaction, rotated.id);
      // Tokens that were issued by earlier versions name no grant: of those only the last one is known.
      const which = '(id = $3 OR replaced_hash = $1) AND refresh_hash <> $1 AND client_id = $2';
      return endReused(transaction, which, [hash, clientId, grantId ?? null], 'token_reused', whenReused);
    });
  }

  async findLive(grantId: string): Promise<LiveGrant | undefined> {
    const [grant] = await this.database.query<Row<LiveGrant>>({
      name: 'live-oauth-grant',
      text: `SELECT team_id AS "teamId", user_id AS "userId", role, scopes, client_name AS "clientName"
             FROM published_oauth_grants WHERE id = $1`,
      values: [grantId],
    });
    return grant;
  }

  async find(teamId: string, id: string): Promise<Grant | undefined> {
    const text = `${grants} WHERE team_id = $1 AND id = $2`;
    return (await this.database.query<Row<Grant>>({ text, values: [teamId, id] }))[0];
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Grant>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const found = await this.database.query<Row<Grant>>({
      text: `${grants} WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, found);
  }

  async revoke(teamId: string, id: string, reason: string): Promise<Grant | undefined> {
    await this.database.run((transaction) => revoke(transaction, 'team_id = $1 AND id = $2', [teamId, id], reason));
    return this.find(teamId, id);
  }

  async revokeByRefreshToken(tokenHash: Buffer, clientId: string): Promise<void> {
    await this.database.run((transaction) =>
      revoke(transaction, 'refresh_hash = $1 AND client_id = $2', [tokenHash, clientId], 'revoked_by_client'),
    );
  }

  async revokeById(id: string, clientId: string): Promise<void> {
    await this.database.run((transaction) =>
      revoke(transaction, 'id = $1 AND client_id = $2', [id, clientId], 'revoked_by_client'),
    );
  }
}

interface StoredCode extends AuthorizationCode {
  readonly createdAt: Date;
  readonly grantId: string | null;
}

/** `unknown` if no grant in force is found: it has ended before. */
async function endReused(
  transaction: DatabaseTransaction,
  which: string,
  values: unknown[],
  reason: string,
  whenReused: WhenReused,
): Promise<Issued> {
  const [ended] = await transaction.query<{ id: string }>({
    text: `UPDATE oauth_grants SET revoked_at = now(), revoked_reason = $${values.length + 1}
           WHERE ${which} AND revoked_at IS NULL RETURNING id`,
    values: [...values, reason],
  });
  if (ended === undefined) return 'unknown';
  const reused = await read(transaction, ended.id);
  await whenReused(reused, transaction);
  return { reused };
}

async function read(transaction: DatabaseTransaction, id: string): Promise<Grant> {
  const [grant] = await transaction.query<Row<Grant>>({ text: `${grants} WHERE id = $1`, values: [id] });
  if (grant === undefined) throw new Error('A grant was made and is not there');
  return grant;
}

function revoke(transaction: DatabaseTransaction, which: string, values: unknown[], reason: string): Promise<number> {
  return transaction.execute({
    text: `UPDATE oauth_grants SET revoked_at = now(), revoked_reason = $${values.length + 1}
           WHERE ${which} AND revoked_at IS NULL`,
    values: [...values, reason],
  });
}
