import { newId, Page, pageOf, PageRequest } from '#kernel';
import { Database, DatabaseTransaction, keysetCondition, Row } from '#platform/database';
import { Injectable } from '@nestjs/common';
import {
  AuthorizationCode,
  Grant,
  LiveGrant,
  NewRefreshToken,
  OAuthStore,
} from '../../application/ports/oauth-store.port.js';
import { commandLineClient, OAuthClient } from '../../domain/client.js';

const grants = `SELECT id, "clientId", "clientName", "logoUri", team_id AS "teamId", "userId", scopes, "createdAt",
  "revokedAt", "revokedReason" FROM (
    SELECT g.id, g.client_id AS "clientId", coalesce(c.name, '${commandLineClient.name}') AS "clientName",
      c.logo_uri AS "logoUri", g.team_id, g.user_id AS "userId", g.scopes, g.created_at AS "createdAt",
      g.revoked_at AS "revokedAt", g.revoked_reason AS "revokedReason"
    FROM oauth_grants g LEFT JOIN oauth_clients c ON c.id = g.client_id) AS found`;

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

  redeemCode(
    codeHash: Buffer,
    check: (code: AuthorizationCode) => void,
    refresh: NewRefreshToken,
  ): Promise<Grant | 'unknown' | 'reused'> {
    return this.database.run(async (transaction) => {
      const [code] = await transaction.query<Row<AuthorizationCode & { readonly grantId: string | null }>>({
        text: `SELECT code_hash AS "codeHash", client_id AS "clientId", team_id AS "teamId", user_id AS "userId", scopes,
                      redirect_uri AS "redirectUri", challenge, expires_at AS "expiresAt", grant_id AS "grantId"
               FROM oauth_codes WHERE code_hash = $1 FOR UPDATE`,
        values: [codeHash],
      });
      if (code === undefined) return 'unknown';
      if (code.grantId !== null) {
        await revoke(transaction, 'id = $1', [code.grantId], 'code_reused');
        return 'reused';
      }
      check(code);
      const id = newId();
      await transaction.execute({
        text: `INSERT INTO oauth_grants (id, client_id, team_id, user_id, scopes, created_at, refresh_hash, refresh_expires_at)
               VALUES ($1, $2, $3, $4, $5, now(), $6, $7)`,
        values: [id, code.clientId, code.teamId, code.userId, code.scopes, refresh.hash, refresh.expiresAt],
      });
      await transaction.execute({
        text: 'UPDATE oauth_codes SET grant_id = $2 WHERE code_hash = $1',
        values: [codeHash, id],
      });
      return read(transaction, id);
    });
  }

  rotate(tokenHash: Buffer, clientId: string, refresh: NewRefreshToken): Promise<Grant | 'unknown' | 'reused'> {
    return this.database.run(async (transaction) => {
      const [rotated] = await transaction.query<{ id: string }>({
        text: `UPDATE oauth_grants g SET refresh_hash = $3, refresh_expires_at = $4, replaced_hash = $1
               WHERE refresh_hash = $1 AND client_id = $2 AND revoked_at IS NULL AND refresh_expires_at > now()
                 AND EXISTS (SELECT FROM published_team_members m WHERE m.team_id = g.team_id AND m.user_id = g.user_id)
               RETURNING id`,
        values: [tokenHash, clientId, refresh.hash, refresh.expiresAt],
      });
      if (rotated !== undefined) return read(transaction, rotated.id);
      const reused = await revoke(
        transaction,
        'replaced_hash = $1 AND client_id = $2',
        [tokenHash, clientId],
        'token_reused',
      );
      return reused > 0 ? 'reused' : 'unknown';
    });
  }

  async findLive(grantId: string): Promise<LiveGrant | undefined> {
    const [grant] = await this.database.query<Row<LiveGrant>>({
      name: 'live-oauth-grant',
      text: `SELECT g.team_id AS "teamId", g.user_id AS "userId", m.role, g.scopes
             FROM oauth_grants g JOIN published_team_members m ON m.team_id = g.team_id AND m.user_id = g.user_id
             WHERE g.id = $1 AND g.revoked_at IS NULL`,
      values: [grantId],
    });
    return grant;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Grant>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const found = await this.database.query<Row<Grant>>({
      text: `${grants} WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, found);
  }

  revoke(teamId: string, id: string, reason: string): Promise<Grant | undefined> {
    return this.database.run(async (transaction) => {
      await revoke(transaction, 'team_id = $1 AND id = $2', [teamId, id], reason);
      const [grant] = await transaction.query<Row<Grant>>({
        text: `${grants} WHERE team_id = $1 AND id = $2`,
        values: [teamId, id],
      });
      return grant;
    });
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
