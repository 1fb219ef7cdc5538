import { Database } from '#postgres/database';
import { maxAddresses, maxAddressesOfPool, maxPools, maxUses } from '../../domain/sending-pool.js';

/** An address that is not off. */
export interface PlannedAddress {
  readonly id: string;
  readonly address: string;
  readonly heloName: string;
  readonly region: string | null;
  readonly isActive: boolean;
}

/** All that a worker needs to know of the pools. */
export interface SendingPlan {
  readonly addresses: readonly PlannedAddress[];
  readonly members: readonly { readonly poolId: string; readonly addressId: string; readonly weight: number }[];
  readonly uses: readonly {
    readonly poolId: string;
    readonly pool: string;
    readonly teamId: string;
    readonly domainId: string | null;
    readonly forBroadcasts: boolean;
    readonly tagName: string | null;
    /** Null with a name: all values. */
    readonly tagValue: string | null;
  }[];
}

/** Reads the pools for a worker, and notes which addresses its machine has. */
export class SendingPlans {
  constructor(private readonly database: Database) {}

  /** In one statement, so that the parts fit together. */
  async read(): Promise<SendingPlan> {
    const [row] = await this.database.query<SendingPlan & Record<string, unknown>>({
      name: 'sending-plan',
      text: `
        SELECT ARRAY(SELECT jsonb_build_object('id', id, 'address', host(address), 'heloName', helo_name, 'region', region,
                                               'isActive', state = 'active')
                     FROM sending_addresses WHERE state <> 'off' ORDER BY id LIMIT ${maxAddresses}) AS addresses,
               ARRAY(SELECT jsonb_build_object('poolId', pool_id, 'addressId', address_id, 'weight', weight)
                     FROM sending_pool_addresses ORDER BY pool_id, address_id
                     LIMIT ${maxPools * maxAddressesOfPool}) AS members,
               ARRAY(SELECT jsonb_build_object('poolId', u.pool_id, 'pool', p.name, 'teamId', u.team_id, 'domainId', u.domain_id,
                                               'forBroadcasts', u.for_broadcasts, 'tagName', u.tag_name, 'tagValue', u.tag_value)
                     FROM sending_pool_uses u JOIN sending_pools p ON p.id = u.pool_id
                     LEFT JOIN published_domains d ON d.id = u.domain_id
                     -- A domain that another team has claimed does not take the pool along.
                     WHERE u.domain_id IS NULL OR d.team_id = u.team_id
                     ORDER BY u.id LIMIT ${maxUses}) AS uses`,
    });
    return row ?? { addresses: [], members: [], uses: [] };
  }

  /** The entries of machines that have been silent for an hour are removed. */
  async note(machine: string, canSend: ReadonlyMap<string, boolean>): Promise<void> {
    await this.database.execute({
      name: 'note-addresses-of-machine',
      text: `
        WITH found AS (
          SELECT a.id, f.can_send FROM unnest($2::uuid[], $3::boolean[]) AS f (id, can_send)
          JOIN sending_addresses a ON a.id = f.id ORDER BY a.id FOR KEY SHARE OF a
        ), forgotten AS (
          DELETE FROM sending_address_machines m USING found f
          WHERE m.address_id = f.id AND m.machine <> $1 AND m.seen_at < clock_timestamp() - interval '1 hour'
        )
        INSERT INTO sending_address_machines (address_id, machine, can_send, seen_at)
        SELECT id, $1, can_send, clock_timestamp() FROM found ORDER BY id
        ON CONFLICT (address_id, machine) DO UPDATE SET can_send = excluded.can_send, seen_at = excluded.seen_at`,
      values: [machine, [...canSend.keys()], [...canSend.values()]],
    });
  }
}
