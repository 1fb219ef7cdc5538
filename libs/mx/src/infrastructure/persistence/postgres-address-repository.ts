import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, ProcessNotifications, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AddressChanges, AddressRepository, KnownAddress } from '../../application/ports/address-repository.port.js';
import { AddressOnMachine, maxAddressesOfPool, SendingAddress } from '../../domain/sending-pool.js';
import { changingPools } from './postgres-pool-repository.js';

type AddressRow = Row<Omit<KnownAddress, 'region' | 'machines'>> & {
  readonly region: string | null;
  readonly machines: readonly (Omit<AddressOnMachine, 'seenAt'> & { readonly seenAt: string })[];
};

const columns = `id, host(address) AS address, helo_name AS "heloName", region, state, created_at AS "createdAt",
                 updated_at AS "updatedAt",
                 ARRAY(SELECT jsonb_build_object('machine', machine, 'canSend', can_send, 'seenAt', seen_at)
                       FROM sending_address_machines m
                       WHERE m.address_id = a.id AND m.seen_at > now() - interval '5 minutes'
                       ORDER BY machine LIMIT 20) AS machines`;

@Injectable()
export class PostgresAddressRepository extends AddressRepository {
  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  add(address: SendingAddress, max: number): Promise<'added' | 'taken' | 'full'> {
    return changingPools(this.database, this.notifications, async (transaction) => {
      const [known] = await transaction.query<{ isTaken: boolean; count: number }>({
        text: `SELECT EXISTS (SELECT FROM sending_addresses WHERE address = $1) AS "isTaken",
                      (SELECT count(*)::int FROM sending_addresses) AS count`,
        values: [address.address],
      });
      if (known?.isTaken === true) return 'taken';
      if ((known?.count ?? 0) >= max) return 'full';
      const { id, heloName, region = null, state, createdAt, updatedAt } = address;
      await transaction.execute({
        text: `INSERT INTO sending_addresses (id, address, helo_name, region, state, created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        values: [id, address.address, heloName, region, state, createdAt, updatedAt],
      });
      return 'added';
    });
  }

  async find(id: string): Promise<KnownAddress | undefined> {
    const [row] = await this.database.query<AddressRow>({
      text: `SELECT ${columns} FROM sending_addresses a WHERE id = $1`,
      values: [id],
    });
    return row && addressOf(row);
  }

  async list(page: PageRequest): Promise<Page<KnownAddress>> {
    const { condition, order, values } = keysetCondition(page, 1);
    const rows = await this.database.query<AddressRow>({
      text: `SELECT ${columns} FROM sending_addresses a WHERE true ${condition} ${order}`,
      values: [...values],
    });
    return pageOf(page, rows.map(addressOf));
  }

  async ofSender(teamId: string, domainId: string): Promise<readonly SendingAddress[]> {
    const rows = await this.database.query<AddressRow>({
      text: `SELECT ${columns} FROM sending_addresses a
             WHERE state = 'active' AND id IN (
               SELECT address_id FROM sending_pool_addresses WHERE pool_id IN (
                 SELECT DISTINCT ON (for_broadcasts, tag_name, tag_value) pool_id FROM sending_pool_uses
                 WHERE team_id = $1 AND (domain_id = $2 OR domain_id IS NULL)
                 ORDER BY for_broadcasts, tag_name, tag_value, domain_id NULLS LAST))
             ORDER BY id LIMIT ${maxAddressesOfPool}`,
      values: [teamId, domainId],
    });
    return rows.map(addressOf);
  }

  change(id: string, { heloName, region, state }: AddressChanges, now: Date): Promise<boolean> {
    return changingPools(this.database, this.notifications, async (transaction) => {
      const changed = await transaction.execute({
        text: `UPDATE sending_addresses SET helo_name = coalesce($2, helo_name), state = coalesce($3, state),
                 region = CASE WHEN $4 THEN $5 ELSE region END, updated_at = $6
               WHERE id = $1`,
        values: [id, heloName ?? null, state ?? null, region !== undefined, region ?? null, now],
      });
      return changed > 0;
    });
  }

  remove(id: string): Promise<'removed' | 'used' | 'unknown'> {
    return changingPools(this.database, this.notifications, async (transaction) => {
      const [pool] = await transaction.query({
        text: 'SELECT 1 FROM sending_pool_addresses WHERE address_id = $1 LIMIT 1',
        values: [id],
      });
      if (pool !== undefined) return 'used';
      const removed = await transaction.execute({ text: 'DELETE FROM sending_addresses WHERE id = $1', values: [id] });
      return removed > 0 ? 'removed' : 'unknown';
    });
  }
}

function addressOf({ region, machines, ...row }: AddressRow): KnownAddress {
  return {
    ...row,
    region: region ?? undefined,
    machines: machines.map((each) => ({ ...each, seenAt: new Date(each.seenAt) })),
  };
}
