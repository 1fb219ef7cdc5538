import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import type { MaybePromise } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Database, keysetCondition, ProcessNotifications, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ApiKeyRepository } from '../../application/ports/teams-and-api-keys.port.js';
import { ApiKey, ApiKeyChanges } from '../../domain/api-key.js';
import type { TeamRole } from '../../domain/permission.js';
import type { GrantInForce } from '../../domain/principal.js';

/** Name of the broadcast that says that keys changed. Its payload is the key's id. */
export const apiKeysChanged = 'api-keys';

const columns = `id, team_id AS "teamId", name, permission, domain_id AS "domainId", grant_id AS "grantId",
  token_hash AS "tokenHash", created_at AS "createdAt", last_used_at AS "lastUsedAt", allowed_ips AS "allowedIps",
  allowed_recipient_domains AS "allowedRecipientDomains", daily_limit AS "dailyLimit", only_drafts AS "onlyDrafts"`;

@Injectable()
export class PostgresApiKeyRepository extends ApiKeyRepository {
  private readonly cache = new ShortCache<ApiKey>({ ttlMs: 10_000, maxEntries: 10_000 });

  constructor(
    private readonly database: Database,
    private readonly broadcast: ProcessNotifications,
  ) {
    super();
    broadcast.on(apiKeysChanged, () => this.cache.forget());
  }

  async insert(apiKey: ApiKey, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `INSERT INTO api_keys (id, team_id, name, permission, domain_id, grant_id, token_hash, created_at,
                                   allowed_ips, allowed_recipient_domains, daily_limit, only_drafts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      values: [
        apiKey.id,
        apiKey.teamId,
        apiKey.name,
        apiKey.permission,
        apiKey.domainId,
        apiKey.grantId,
        apiKey.tokenHash,
        apiKey.createdAt,
        apiKey.allowedIps,
        apiKey.allowedRecipientDomains,
        apiKey.dailyLimit,
        apiKey.onlyDrafts,
      ],
    });
  }

  findByTokenHash(tokenHash: Buffer): MaybePromise<ApiKey | undefined> {
    return this.cache.get(tokenHash.toString('latin1'), async () => {
      const [apiKey] = await this.database.query<Row<ApiKey>>({
        name: 'api-key-by-token',
        text: `SELECT ${columns} FROM api_keys WHERE token_hash = $1`,
        values: [tokenHash],
      });
      return apiKey;
    });
  }

  findById(id: string): MaybePromise<ApiKey | undefined> {
    return this.cache.get(id, async () => {
      const [apiKey] = await this.database.query<Row<ApiKey>>({
        name: 'api-key-by-id',
        text: `SELECT ${columns} FROM api_keys WHERE id = $1`,
        values: [id],
      });
      return apiKey;
    });
  }

  async findGrant(grantId: string): Promise<GrantInForce | undefined> {
    const [grant] = await this.database.query<{ role: TeamRole; name: string }>({
      name: 'grant-of-api-key',
      text: 'SELECT role, client_name AS name FROM published_oauth_grants WHERE id = $1',
      values: [grantId],
    });
    return grant === undefined ? undefined : { role: grant.role, tool: { grantId, name: grant.name } };
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ApiKey>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const keys = await this.database.query<Row<ApiKey>>({
      text: `SELECT ${columns} FROM api_keys WHERE team_id = $1 ${condition}
               AND (grant_id IS NULL OR EXISTS (SELECT FROM published_oauth_grants g WHERE g.id = grant_id)) ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, keys);
  }

  async find(teamId: string, id: string): Promise<ApiKey | undefined> {
    const [apiKey] = await this.database.query<Row<ApiKey>>({
      text: `SELECT ${columns} FROM api_keys WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return apiKey;
  }

  async change(teamId: string, id: string, changes: ApiKeyChanges): Promise<'changed' | 'unknown' | 'last'> {
    const result = await this.database.run(async (transaction) => {
      if (changes.onlyDrafts === true && (await isLast(teamId, id, transaction))) return 'last';
      const rows = await transaction.execute({
        text: `UPDATE api_keys SET
                 name = coalesce($3, name),
                 allowed_ips = CASE WHEN $4 THEN $5 ELSE allowed_ips END,
                 allowed_recipient_domains = CASE WHEN $6 THEN $7 ELSE allowed_recipient_domains END,
                 daily_limit = CASE WHEN $8 THEN $9 ELSE daily_limit END,
                 only_drafts = coalesce($10, only_drafts)
               WHERE team_id = $1 AND id = $2`,
        values: [
          teamId,
          id,
          changes.name ?? null,
          ...(['allowedIps', 'allowedRecipientDomains', 'dailyLimit'] as const).flatMap((field) => [
            changes[field] !== undefined,
            changes[field] ?? null,
          ]),
          changes.onlyDrafts ?? null,
        ],
      });
      if (rows === 0) return 'unknown';
      await this.broadcast.send(apiKeysChanged, id, transaction);
      return 'changed';
    });
    if (result === 'changed') this.cache.forget();
    return result;
  }

  async delete(teamId: string, id: string): Promise<'deleted' | 'unknown' | 'last'> {
    const result = await this.database.run(async (transaction) => {
      if (await isLast(teamId, id, transaction)) return 'last';
      const deleted = await transaction.execute({
        text: 'DELETE FROM api_keys WHERE team_id = $1 AND id = $2',
        values: [teamId, id],
      });
      if (deleted === 0) return 'unknown';
      await this.broadcast.send(apiKeysChanged, id, transaction);
      return 'deleted';
    });
    // Clears the cache of this process without waiting for its own notification.
    if (result === 'deleted') this.cache.forget();
    return result;
  }

  async recordUse(lastUses: ReadonlyMap<string, Date>): Promise<void> {
    await this.database.execute({
      text: `UPDATE api_keys k SET last_used_at = u.at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
             WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
      values: [[...lastUses.keys()], [...lastUses.values()]],
    });
  }
}

/**
 * Whether a team has no other key with full access. Such checks of one team run one after the other: otherwise two changes at
 * once could each see the key of the other, and take the last two.
 */
async function isLast(teamId: string, id: string, transaction: Transaction): Promise<boolean> {
  const statements = statementsOf(transaction);
  await statements.query({ text: 'SELECT 1 FROM teams WHERE id = $1 FOR UPDATE', values: [teamId] });
  const keys = await statements.query<{ id: string }>({
    // A key that ends with a grant may be gone tomorrow.
    text: `SELECT id FROM api_keys
           WHERE team_id = $1 AND permission = 'full_access' AND NOT only_drafts AND grant_id IS NULL ORDER BY id LIMIT 2`,
    values: [teamId],
  });
  return keys.length === 1 && keys[0]?.id === id;
}
