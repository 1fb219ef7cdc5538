import { InMemoryRows } from './in-memory-rows.js';
import type { Page, PageRequest } from '#kernel';
import {
  AddressChanges,
  AddressRepository,
  KnownAddress,
} from '../../../libs/mx/src/application/ports/address-repository.port.js';
import {
  NewPool,
  PoolRefusal,
  PoolRepository,
  PoolUser,
} from '../../../libs/mx/src/application/ports/pool-repository.port.js';
import type { PoolUse, SendingAddress, SendingPool } from '../../../libs/mx/src/domain/sending-pool.js';

/** Addresses in memory. Those in `used` are in a pool. */
export class InMemoryAddresses extends AddressRepository {
  readonly rows = new InMemoryRows<KnownAddress>();
  readonly used = new Set<string>();
  /** Addresses of pools, by domain. */
  readonly ofDomains = new Map<string, readonly SendingAddress[]>();

  async add(address: SendingAddress, max: number): Promise<'added' | 'taken' | 'full'> {
    const all = this.rows.where(() => true);
    if (all.some((known) => known.address === address.address)) return 'taken';
    if (all.length >= max) return 'full';
    this.rows.set({ ...address, machines: [] });
    return 'added';
  }

  async find(id: string): Promise<KnownAddress | undefined> {
    return this.rows.get(id);
  }

  async list(page: PageRequest): Promise<Page<KnownAddress>> {
    return this.rows.page(page, () => true);
  }

  async ofSender(_teamId: string, domainId: string): Promise<readonly SendingAddress[]> {
    return this.ofDomains.get(domainId) ?? [];
  }

  async change(id: string, { heloName, region, state }: AddressChanges, now: Date): Promise<boolean> {
    const row = this.rows.get(id);
    if (row === undefined) return false;
    this.rows.set({
      ...row,
      heloName: heloName ?? row.heloName,
      region: region === undefined ? row.region : (region ?? undefined),
      state: state ?? row.state,
      updatedAt: now,
    });
    return true;
  }

  async remove(id: string): Promise<'removed' | 'used' | 'unknown'> {
    if (this.used.has(id)) return 'used';
    return this.rows.delete(id) ? 'removed' : 'unknown';
  }
}

/** Pools in memory. `teams` and `domains` exist; domains by name. */
export class InMemoryPools extends PoolRepository {
  readonly rows = new InMemoryRows<SendingPool>();
  readonly assigned = new Map<string, PoolUse & { readonly poolId: string }>();

  constructor(
    private readonly addresses: InMemoryAddresses,
    private readonly teams: ReadonlySet<string>,
    private readonly domains: ReadonlyMap<string, { readonly id: string; readonly teamId: string }>,
  ) {
    super();
  }

  async add(pool: NewPool, max: number, now: Date): Promise<'added' | 'full' | PoolRefusal> {
    if (this.rows.where(() => true).length >= max) return 'full';
    const refusal = this.refusalOf(pool);
    if (refusal !== undefined) return refusal;
    this.rows.set({ ...pool, members: this.membersOf(pool), createdAt: now, updatedAt: now });
    return 'added';
  }

  async find(id: string): Promise<SendingPool | undefined> {
    return this.rows.get(id);
  }

  async list(page: PageRequest): Promise<Page<SendingPool>> {
    return this.rows.page(page, () => true);
  }

  async change(id: string, changes: Partial<NewPool>, now: Date): Promise<'changed' | 'unknown' | PoolRefusal> {
    const refusal = this.refusalOf({ ...changes, id });
    if (refusal !== undefined) return refusal;
    const row = this.rows.get(id);
    if (row === undefined) return 'unknown';
    const members = changes.members === undefined ? row.members : this.membersOf({ members: changes.members });
    this.rows.set({ ...row, name: changes.name ?? row.name, members, updatedAt: now });
    return 'changed';
  }

  async remove(id: string): Promise<'removed' | 'used' | 'unknown'> {
    if ([...this.assigned.values()].some(({ poolId }) => poolId === id)) return 'used';
    return this.rows.delete(id) ? 'removed' : 'unknown';
  }

  async uses(poolId: string): Promise<Page<PoolUse>> {
    return { items: [...this.assigned.values()].filter((use) => use.poolId === poolId), hasMore: false };
  }

  async assign(
    poolId: string,
    id: string,
    user: PoolUser,
    max: number,
    now: Date,
  ): Promise<PoolUse | 'unknown' | 'full'> {
    const domain = 'domain' in user ? this.domains.get(user.domain) : undefined;
    const teamId = 'domain' in user ? domain?.teamId : user.teamId;
    if (teamId === undefined || !this.teams.has(teamId)) return 'unknown';
    if (this.assigned.size >= max) return 'full';
    const [tag, forBroadcasts] = ['tag' in user ? user.tag : undefined, user.forBroadcasts === true];
    const use = { id, poolId, teamId, team: '', domainId: domain?.id, forBroadcasts, tag, createdAt: now };
    this.assigned.set(JSON.stringify([domain?.id ?? teamId, forBroadcasts, tag?.name, tag?.value]), use);
    return use;
  }

  async release(poolId: string, useId: string): Promise<boolean> {
    const [key] = [...this.assigned].find(([, use]) => use.id === useId && use.poolId === poolId) ?? [];
    return key !== undefined && this.assigned.delete(key);
  }

  private refusalOf({ id, name, members = [] }: Partial<NewPool>): PoolRefusal | undefined {
    if (this.rows.where((row) => row.id !== id && row.name === name).length > 0) return 'taken';
    return members.every(({ addressId }) => this.addresses.rows.get(addressId)) ? undefined : 'unknown_address';
  }

  private membersOf({ members = [] }: Partial<NewPool>): SendingPool['members'] {
    return members.map((member) => {
      const { address = '', state = 'off' } = this.addresses.rows.get(member.addressId) ?? {};
      return { ...member, address, state };
    });
  }
}
