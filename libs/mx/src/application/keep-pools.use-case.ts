import type { Principal } from '#identity';
import { Clock, DomainError, found, newId, NotFoundError, Page, PageRequest, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { maxPools, maxUses, PoolMember, PoolUse, SendingPool } from '../domain/sending-pool.js';
import { PoolRefusal, PoolRepository, PoolUser } from './ports/pool-repository.port.js';

export class PoolNameTakenError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'Another pool has this name.');
  }
}

export class TooManyPoolsError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `There may be at most ${maxPools} pools.`);
  }
}

export class TooManyUsesError extends DomainError {
  constructor() {
    super('invalid', 'validation_error', `Pools may be used at most ${maxUses} times.`);
  }
}

export class PoolInUseError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'This pool is in use. Give its users another one first.');
  }
}

export class UnknownMemberError extends ValidationError {
  constructor() {
    super('The `addresses` must be ids of addresses of this installation.');
  }
}

/** The pools of addresses, and which mail leaves from which pool, for the operator. */
@Injectable()
export class KeepPools {
  constructor(
    private readonly pools: PoolRepository,
    private readonly clock: Clock,
  ) {}

  async add(
    principal: Principal,
    fields: { readonly name: string; readonly members: readonly PoolMember[] },
  ): Promise<SendingPool> {
    principal.require('installation:write');
    const now = this.clock.now();
    const id = newId(now.getTime());
    const added = await this.pools.add({ ...fields, id }, maxPools, now);
    if (added === 'full') throw new TooManyPoolsError();
    if (added !== 'added') throw refusalOf(added);
    return this.find(principal, id);
  }

  async find(principal: Principal, id: string): Promise<SendingPool> {
    principal.require('installation:read');
    return found('Pool', await this.pools.find(id));
  }

  async list(principal: Principal, page: PageRequest): Promise<Page<SendingPool>> {
    principal.require('installation:read');
    return this.pools.list(page);
  }

  async change(
    principal: Principal,
    id: string,
    changes: { readonly name?: string; readonly members?: readonly PoolMember[] },
  ): Promise<SendingPool> {
    principal.require('installation:write');
    const changed = await this.pools.change(id, changes, this.clock.now());
    if (changed === 'unknown') throw new NotFoundError('Pool');
    if (changed !== 'changed') throw refusalOf(changed);
    return this.find(principal, id);
  }

  /** Refused while it is used: that mail would leave from other addresses at once. */
  async remove(principal: Principal, id: string): Promise<void> {
    principal.require('installation:write');
    const removed = await this.pools.remove(id);
    if (removed === 'unknown') throw new NotFoundError('Pool');
    if (removed === 'used') throw new PoolInUseError();
  }

  async uses(principal: Principal, poolId: string, page: PageRequest): Promise<Page<PoolUse>> {
    await this.find(principal, poolId);
    return this.pools.uses(poolId, page);
  }

  /** The user leaves its former pool. */
  async assign(principal: Principal, poolId: string, user: PoolUser): Promise<PoolUse> {
    principal.require('installation:write');
    await this.find(principal, poolId);
    const now = this.clock.now();
    const use = await this.pools.assign(poolId, newId(now.getTime()), user, maxUses, now);
    if (use === 'unknown') throw new NotFoundError('domain' in user ? 'Domain' : 'Team');
    if (use === 'full') throw new TooManyUsesError();
    return use;
  }

  async release(principal: Principal, poolId: string, useId: string): Promise<void> {
    principal.require('installation:write');
    if (!(await this.pools.release(poolId, useId))) throw new NotFoundError('Use of the pool');
  }
}

function refusalOf(refusal: PoolRefusal): DomainError {
  return refusal === 'taken' ? new PoolNameTakenError() : new UnknownMemberError();
}
