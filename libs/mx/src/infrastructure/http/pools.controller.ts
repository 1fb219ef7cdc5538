import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
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
@UseGuards(PrincipalGuard)
export class PoolsController {
  constructor(private readonly pools: KeepPools) {}

  @Post()
  @Operation('createSendingPool', 'Make a pool', 'A pool of addresses. An address may be in several pools.')
  @Takes(CreatePoolRequest, 'The pool.')
  @Responses(SendingPoolResponse, 'The pool.', { status: 201 })
  @Refuses(() => [new PoolNameTakenError(), noName, new UnknownMemberError()])
  @Requires('installation:write')
  async add(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<SendingPoolResponse> {
    return { object: 'sending_pool', ...poolSummary(await this.pools.add(principal, newPoolFrom(body))) };
  }

  @Get()
  @Operation('listSendingPools', 'List pools', 'The pools of the installation, newest first, in pages.')
  @ResponsesList(SendingPoolSummary, 'A page of pools.')
  @Requires('installation:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<SendingPoolSummary>> {
    return listResponse(await this.pools.list(principal, parsePageRequest(query)), poolSummary);
  }

  @Get(':id')
  @Operation('getSendingPool', 'Get a pool', 'One pool.')
  @Responses(SendingPoolResponse, 'The pool.')
  @Refuses(() => [new NotFoundError('Pool')])
  @Requires('installation:read')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<SendingPoolResponse> {
    return { object: 'sending_pool', ...poolSummary(await this.pools.find(principal, idFromPath('id', id))) };
  }

  @Patch(':id')
  @Operation('updateSendingPool', 'Change a pool', 'Changes its name or its addresses. Workers follow within moments.')
  @Takes(UpdatePoolRequest, 'The changes.')
  @Responses(SendingPoolResponse, 'The pool.')
  @Refuses(() => [new NotFoundError('Pool'), new PoolNameTakenError(), noName, new UnknownMemberError()])
  @Requires('installation:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SendingPoolResponse> {
    const pool = await this.pools.change(principal, idFromPath('id', id), poolChangesFrom(body));
    return { object: 'sending_pool', ...poolSummary(pool) };
  }

  @Delete(':id')
  @Operation('removeSendingPool', 'Remove a pool', 'Refused while it is in use. Its addresses stay.')
  @Responses(RemovedPoolResponse, 'The pool is removed.')
  @Refuses(() => [new NotFoundError('Pool'), new PoolInUseError()])
  @Requires('installation:write')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RemovedPoolResponse> {
    const removed = idFromPath('id', id);
    await this.pools.remove(principal, removed);
    return { object: 'sending_pool', id: removed, deleted: true };
  }

  @Get(':id/uses')
  @Operation(
    'listSendingPoolUses',
    'List who uses a pool',
    'Teams, domains, tags and broadcasts that leave from it, newest first, in pages.',
  )
  @ResponsesList(PoolUseSummary, 'A page of uses.')
  @Refuses(() => [new NotFoundError('Pool')])
  @Requires('installation:read')
  async uses(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<ListResponse<PoolUseSummary>> {
    const page = parsePageRequest(query);
    return listResponse(await this.pools.uses(principal, idFromPath('id', id), page), useSummary);
  }

  @Post(':id/uses')
  @Operation(
    'useSendingPool',
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
  @Requires('installation:write')
  async use(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<PoolUseResponse> {
    const use = await this.pools.assign(principal, idFromPath('id', id), poolUserFrom(body));
    return { object: 'sending_pool_use', ...useSummary(use) };
  }

  @Delete(':id/uses/:useId')
  @PathId('useId', 'Id of the use.', useId)
  @Operation(
    'stopUsingSendingPool',
    'Take a pool from a team, a domain, a tag or broadcasts',
    'The mail then leaves from the next pool that fits, or from the address that the operating system chooses.',
  )
  @Responses(RemovedPoolUseResponse, 'The mail does not leave from the pool any more.')
  @Refuses(() => [new NotFoundError('Use of the pool')])
  @Requires('installation:write')
  async release(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('useId') use: string,
  ): Promise<RemovedPoolUseResponse> {
    const ended = idFromPath('useId', use);
    await this.pools.release(principal, idFromPath('id', id), ended);
    return { object: 'sending_pool_use', id: ended, deleted: true };
  }
}
