import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  KeepPools,
  PoolInUseError,
  PoolNameTakenError,
  UnknownMemberError,
} from '../../application/keep-pools.use-case.js';
import { poolId, useId } from './example-ids.js';
import {
  CreatePoolRequest,
  newPoolFrom,
  poolChangesFrom,
  poolUserFrom,
  UpdatePoolRequest,
  UsePoolRequest,
} from './pools.request.js';
import {
  PoolUseResponse,
  PoolUseSummary,
  poolSummary,
  RemovedPoolResponse,
  RemovedPoolUseResponse,
  SendingPoolResponse,
  SendingPoolSummary,
  useSummary,
} from './pools.response.js';

const tagWithoutTeam = (): unknown => poolUserFrom({ domain: 'acme.example', tag: { name: 'category' } });
const noName = (): unknown => poolChangesFrom({ name: 'Acme Inc.' });

/** Pools of addresses, and which mail leaves from them. */
@Controller('machine-room/pools')
@Describes('Machine room')
@PathId('id', 'Id of the pool.', poolId)
@PermissionsOf('installation')
export class PoolsController {
  constructor(private readonly pools: KeepPools) {}

  @Post()
  @Operation('Make a pool', 'A pool of addresses. An address may be in several pools.')
  @Takes(CreatePoolRequest, 'The pool.')
  @Responses(SendingPoolResponse, 'The pool.', { status: 201 })
  @Refuses(() => [new PoolNameTakenError(), noName, new UnknownMemberError()])
  async createSendingPool(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<SendingPoolResponse> {
    return { object: 'sending_pool', ...poolSummary(await this.pools.add(principal, newPoolFrom(body))) };
  }

  @Get()
  @Operation('List pools', 'The pools of the installation, newest first, in pages.')
  @ResponsesList(SendingPoolSummary, 'A page of pools.')
  async listSendingPools(@CurrentPrincipal() principal: Principal, @Query() query: Readonly<Record<string, unknown>>) {
    return listResponse(await this.pools.list(principal, parsePageRequest(query)), poolSummary);
  }

  @Get(':id')
  @Operation('Get a pool', 'One pool.')
  @Responses(SendingPoolResponse, 'The pool.')
  @Refuses(() => [new NotFoundError('Pool')])
  async getSendingPool(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<SendingPoolResponse> {
    return { object: 'sending_pool', ...poolSummary(await this.pools.find(principal, id)) };
  }

  @Patch(':id')
  @Operation('Change a pool', 'Changes its name or its addresses. Workers follow within moments.')
  @Takes(UpdatePoolRequest, 'The changes.')
  @Responses(SendingPoolResponse, 'The pool.')
  @Refuses(() => [new NotFoundError('Pool'), new PoolNameTakenError(), noName, new UnknownMemberError()])
  async updateSendingPool(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SendingPoolResponse> {
    const pool = await this.pools.change(principal, id, poolChangesFrom(body));
    return { object: 'sending_pool', ...poolSummary(pool) };
  }

  @Delete(':id')
  @Operation('Remove a pool', 'Refused while it is in use. Its addresses stay.')
  @Responses(RemovedPoolResponse, 'The pool is removed.')
  @Refuses(() => [new NotFoundError('Pool'), new PoolInUseError()])
  async removeSendingPool(@CurrentPrincipal() principal: Principal, @Param('id') removed: string) {
    await this.pools.remove(principal, removed);
    return toResponse(RemovedPoolResponse, { id: removed });
  }

  @Get(':id/uses')
  @Operation('List who uses a pool', 'Teams, domains, tags and broadcasts that leave from it, newest first, in pages.')
  @ResponsesList(PoolUseSummary, 'A page of uses.')
  @Refuses(() => [new NotFoundError('Pool')])
  async listSendingPoolUses(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    const page = parsePageRequest(query);
    return listResponse(await this.pools.uses(principal, id, page), useSummary);
  }

  @Post(':id/uses')
  @Operation(
    'Let a team, a domain, a tag or broadcasts use a pool',
    'The same mail leaves its former pool. Where several pools fit, the most specific one is used: that of the broadcasts of ' +
      'the domain, of the broadcasts of the team, of a tag with its value, of a tag, of the domain, of the team.',
  )
  @Takes(UsePoolRequest, 'The mail.')
  @Responses(PoolUseResponse, 'It leaves from the pool.', { status: 201 })
  @Refuses(() => [
    new NotFoundError('Pool'),
    new NotFoundError('Domain'),
    new MissingFieldError('domain'),
    tagWithoutTeam,
  ])
  async useSendingPool(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<PoolUseResponse> {
    const use = await this.pools.assign(principal, id, poolUserFrom(body));
    return { object: 'sending_pool_use', ...useSummary(use) };
  }

  @Delete(':id/uses/:useId')
  @PathId('useId', 'Id of the use.', useId, 'Use of the pool')
  @Operation(
    'Take a pool from a team, a domain, a tag or broadcasts',
    'The mail then leaves from the next pool that fits, or from the address that the operating system chooses.',
  )
  @Responses(RemovedPoolUseResponse, 'The mail does not leave from the pool any more.')
  async stopUsingSendingPool(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('useId') ended: string,
  ) {
    await this.pools.release(principal, id, ended);
    return toResponse(RemovedPoolUseResponse, { id: ended });
  }
}
