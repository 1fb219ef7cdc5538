import { Injectable } from '@nestjs/common';
import { Page, pageOf, PageRequest } from '#kernel';
import {
  Database,
  DatabaseTransaction,
  keysetCondition,
  lockName,
  ProcessNotifications,
  Row,
} from '#postgres/database';
import { NewPool, PoolRefusal, PoolRepository, PoolUser } from '../../application/ports/pool-repository.port.js';
import { maxAddressesOfPool, PoolMember, PoolUse, SendingPool } from '../../domain/sending-pool.js';

/** Name of the notification that addresses, pools or their uses have changed. */
export const poolsChanged = 'sending_pools';

/** One change after the other, over all processes. The workers are told when it is committed. */
export function changingPools<Result>(
  database: Database,
  notifications: ProcessNotifications,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return database.run(async (transaction) => {
    await lockName('sending pools', transaction);
    const result = await work(transaction);
    await notifications.send(poolsChanged, '', transaction);
    return result;
  });
}

const poolColumns = `id, name, created_at AS "createdAt", updated_at AS "updatedAt",
                     ARRAY(SELECT jsonb_build_object('addressId', a.id, 'address', host(a.address), 'state', a.state,
                                                     'weight', m.weight)
                           FROM sending_pool_addresses m JOIN sending_addresses a ON a.id = m.address_id
                           WHERE m.pool_id = p.id ORDER BY a.id LIMIT ${maxAddressesOfPool}) AS members`;

type UseRow = Row<Omit<PoolUse, 'domainId' | 'domain' | 'tag'>> & {
  readonly domainId: string | null;
  readonly domain: string | null;
  readonly tagName: string | null;
  readonly tagValue: string | null;
};

const useColumns = `u.id, u.team_id AS "teamId", t.name AS team, u.domain_id AS "domainId", d.name AS domain,
                    u.for_broadcasts AS "forBroadcasts", u.tag_name AS "tagName", u.tag_value AS "tagValue", u.created_at AS "createdAt"`;
const useTables = `JOIN published_teams t ON t.id = u.team_id LEFT JOIN published_domains d ON d.id = u.domain_id`;

@Injectable()
export class PostgresPoolRepository extends PoolRepository {
  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  add({ id, name, members }: NewPool, max: number, now: Date): Promise<'added' | 'full' | PoolRefusal> {
    return this.changing(async (transaction) => {
      const [row] = await transaction.query<{ count: number }>({
        text: 'SELECT count(*)::int AS count FROM sending_pools',
      });
      if ((row?.count ?? 0) >= max) return 'full';
      const refusal = await refusalOf({ id, name, members }, transaction);
      if (refusal !== undefined) return refusal;
      await transaction.execute({
        text: 'INSERT INTO sending_pools (id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)',
        values: [id, name, now],
      });
      await addMembers(id, members, transaction);
      return 'added';
    });
  }

  async find(id: string): Promise<SendingPool | undefined> {
    const [row] = await this.database.query<Row<SendingPool>>({
      text: `SELECT ${poolColumns} FROM sending_pools p WHERE id = $1`,
      values: [id],
    });
    return row;
  }

  async list(page: PageRequest): Promise<Page<SendingPool>> {
    const { condition, order, values } = keysetCondition(page, 1);
    const rows = await this.database.query<Row<SendingPool>>({
      text: `SELECT ${poolColumns} FROM sending_pools p WHERE true ${condition} ${order}`,
      values: [...values],
    });
    return pageOf(page, rows);
  }

  change(id: string, changes: Partial<NewPool>, now: Date): Promise<'changed' | 'unknown' | PoolRefusal> {
    return this.changing(async (transaction) => {
      const refusal = await refusalOf({ ...changes, id }, transaction);
      if (refusal !== undefined) return refusal;
      const changed = await transaction.execute({
        text: 'UPDATE sending_pools SET name = coalesce($2, name), updated_at = $3 WHERE id = $1',
        values: [id, changes.name ?? null, now],
      });
      if (changed === 0) return 'unknown';
      if (changes.members === undefined) return 'changed';
      await transaction.execute({ text: 'DELETE FROM sending_pool_addresses WHERE pool_id = $1', values: [id] });
      await addMembers(id, changes.members, transaction);
      return 'changed';
    });
  }

  remove(id: string): Promise<'removed' | 'used' | 'unknown'> {
    return this.changing(async (transaction) => {
      const [use] = await transaction.query({
        text: 'SELECT 1 FROM sending_pool_uses WHERE pool_id = $1 LIMIT 1',
        values: [id],
      });
      if (use !== undefined) return 'used';
      const removed = await transaction.execute({ text: 'DELETE FROM sending_pools WHERE id = $1', values: [id] });
      return removed > 0 ? 'removed' : 'unknown';
    });
  }

  async uses(poolId: string, page: PageRequest): Promise<Page<PoolUse>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<UseRow>({
      text: `SELECT ${useColumns} FROM (SELECT * FROM sending_pool_uses WHERE pool_id = $1 ${condition} ${order}) u
             ${useTables} ${order.replace('id', 'u.id')}`,
      values: [poolId, ...values],
    });
    return pageOf(page, rows.map(useOf));
  }

  assign(poolId: string, useId: string, user: PoolUser, max: number, now: Date): Promise<PoolUse | 'unknown' | 'full'> {
    return this.changing(async (transaction) => {
      const [of] = await transaction.query<{ teamId: string; domainId: string | null }>(
        'domain' in user
          ? {
              text: `SELECT team_id AS "teamId", id AS "domainId" FROM published_domains
                     WHERE name = $1 AND EXISTS (SELECT FROM sending_pools WHERE id = $2)`,
              values: [user.domain, poolId],
            }
          : {
              text: `SELECT id AS "teamId", NULL AS "domainId" FROM published_teams
                     WHERE id = $1 AND EXISTS (SELECT FROM sending_pools WHERE id = $2)`,
              values: [user.teamId, poolId],
            },
      );
      if (of === undefined) return 'unknown';
      const tag = 'tag' in user ? user.tag : undefined;
      const mail = [user.forBroadcasts === true, tag?.name ?? null, tag?.value ?? null];
      await transaction.execute({
        text: `DELETE FROM sending_pool_uses
               WHERE (domain_id = $2 OR ($2::uuid IS NULL AND team_id = $1 AND domain_id IS NULL))
                 AND for_broadcasts = $3 AND tag_name IS NOT DISTINCT FROM $4 AND tag_value IS NOT DISTINCT FROM $5`,
        values: [of.teamId, of.domainId, ...mail],
      });
      const [row] = await transaction.query<UseRow>({
        text: `WITH u AS (
                 INSERT INTO sending_pool_uses (id, pool_id, team_id, domain_id, for_broadcasts, tag_name, tag_value, created_at)
                 SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM sending_pool_uses) < $9
                 RETURNING *
               ) SELECT ${useColumns} FROM u ${useTables}`,
        values: [useId, poolId, of.teamId, of.domainId, ...mail, now, max],
      });
      return row === undefined ? 'full' : useOf(row);
    });
  }

  release(poolId: string, useId: string): Promise<boolean> {
    return this.changing(async (transaction) => {
      const removed = await transaction.execute({
        text: 'DELETE FROM sending_pool_uses WHERE id = $1 AND pool_id = $2',
        values: [useId, poolId],
      });
      return removed > 0;
    });
  }

  private changing<Result>(work: (transaction: DatabaseTransaction) => Promise<Result>): Promise<Result> {
    return changingPools(this.database, this.notifications, work);
  }
}

async function refusalOf(
  { id, name, members = [] }: Partial<NewPool>,
  transaction: DatabaseTransaction,
): Promise<PoolRefusal | undefined> {
  const ids = [...new Set(members.map(({ addressId }) => addressId))];
  const [row] = await transaction.query<{ isTaken: boolean; known: number }>({
    text: `SELECT EXISTS (SELECT FROM sending_pools WHERE name = $1 AND id <> $2) AS "isTaken",
                  (SELECT count(*)::int FROM sending_addresses WHERE id = ANY ($3::uuid[])) AS known`,
    values: [name ?? null, id, ids],
  });
  if (row?.isTaken === true) return 'taken';
  return row?.known === ids.length ? undefined : 'unknown_address';
}

async function addMembers(id: string, members: readonly PoolMember[], transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({
    text: `INSERT INTO sending_pool_addresses (pool_id, address_id, weight)
           SELECT $1, * FROM unnest($2::uuid[], $3::int[]) ON CONFLICT DO NOTHING`,
    values: [id, members.map(({ addressId }) => addressId), members.map(({ weight }) => weight)],
  });
}

function useOf({ domainId, domain, tagName, tagValue, ...row }: UseRow): PoolUse {
  const tag = tagName === null ? undefined : { name: tagName, value: tagValue ?? undefined };
  return { ...row, domainId: domainId ?? undefined, domain: domain ?? undefined, tag };
}
