import type { Page, PageRequest } from '#kernel';
import { PoolMember, PoolTag, PoolUse, SendingPool } from '../../domain/sending-pool.js';

/** What is given to a pool: a team, one of its tags, or one of the domains by its name. `forBroadcasts`: only its broadcasts. */
export type PoolUser =
  | { readonly teamId: string; readonly forBroadcasts?: boolean; readonly tag?: PoolTag }
  | { readonly domain: string; readonly forBroadcasts?: boolean };

export interface NewPool {
  readonly id: string;
  readonly name: string;
  readonly members: readonly PoolMember[];
}

/** `taken`: another pool has the name. `unknown_address`: a member is no address. */
export type PoolRefusal = 'taken' | 'unknown_address';

/** Stores the pools of the installation. Each change reaches all workers within moments. */
export abstract class PoolRepository {
  /** `full`: there are `max` pools. */
  abstract add(pool: NewPool, max: number, now: Date): Promise<'added' | 'full' | PoolRefusal>;
  abstract find(id: string): Promise<SendingPool | undefined>;
  /** Newest first. */
  abstract list(page: PageRequest): Promise<Page<SendingPool>>;
  /** New members take the place of all former ones. */
  abstract change(id: string, changes: Partial<NewPool>, now: Date): Promise<'changed' | 'unknown' | PoolRefusal>;
  /** `used`: something uses it. */
  abstract remove(id: string): Promise<'removed' | 'used' | 'unknown'>;
  /** Newest first. */
  abstract uses(poolId: string, page: PageRequest): Promise<Page<PoolUse>>;
  /** The user leaves its former pool. `unknown`: there is no such team or domain. `full`: there are `max` uses. */
  abstract assign(
    poolId: string,
    useId: string,
    user: PoolUser,
    max: number,
    now: Date,
  ): Promise<PoolUse | 'unknown' | 'full'>;
  /** False if the pool has no such use. */
  abstract release(poolId: string, useId: string): Promise<boolean>;
}
