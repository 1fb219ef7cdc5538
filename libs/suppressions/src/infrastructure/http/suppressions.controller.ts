import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, ListResponse, timestamp } from '#platform/http';
import { Responses, ResponsesList, ApiQuery, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AddSuppression } from '../../application/add-suppression.use-case.js';
import { ManageSuppressions } from '../../application/manage-suppressions.use-case.js';
import { Suppression } from '../../domain/suppression.js';
import {
  AddedSuppressionResponse,
  AddedSuppressionsResponse,
  RemovedSuppressionResponse,
  RemovedSuppressionsResponse,
  SuppressionResponse,
  SuppressionSummaryResponse,
} from './suppression.response.js';
import {
  AddSuppressionRequest,
  AddSuppressionsRequest,
  decodeAddition,
  decodeAdditions,
  decodeOrigin,
  decodeRemovals,
  RemoveSuppressionsRequest,
} from './suppression.request.js';

@Controller('suppressions')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/suppressions.description.js'))
export class SuppressionsController {
  constructor(
    private readonly addSuppression: AddSuppression,
    private readonly suppressions: ManageSuppressions,
  ) {}

  @Post()
  @Requires('suppressions:write')
  @Takes(AddSuppressionRequest)
  @Responses(AddedSuppressionResponse, 201)
  async add(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<AddedSuppressionResponse> {
    const [id = ''] = await this.addByHand(teamId, [decodeAddition(body)]);
    return { object: 'suppression', id };
  }

  @Post('batch/add')
  @Requires('suppressions:write')
  @Takes(AddSuppressionsRequest)
  @Responses(AddedSuppressionsResponse, 201)
  async addBatch(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<AddedSuppressionsResponse> {
    const ids = await this.addByHand(teamId, decodeAdditions(body));
    return { data: ids.map((id) => ({ object: 'suppression', id })) };
  }

  @Post('batch/remove')
  @Requires('suppressions:write')
  @HttpCode(200)
  @Takes(RemoveSuppressionsRequest)
  @Responses(RemovedSuppressionsResponse)
  async removeBatch(
    @CurrentPrincipal() { teamId }: Principal,
    @Body() body: unknown,
  ): Promise<RemovedSuppressionsResponse> {
    const ids = await this.suppressions.removeAll(teamId, decodeRemovals(body));
    return { data: ids.map((id) => ({ object: 'suppression', id, deleted: true })) };
  }

  @Get()
  @Requires('suppressions:read')
  @ResponsesList(SuppressionSummaryResponse)
  @ApiQuery({ name: 'origin', required: false, enum: ['bounce', 'complaint', 'manual'] })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly origin?: unknown; readonly limit?: unknown },
  ): Promise<ListResponse<SuppressionSummaryResponse>> {
    const page = await this.suppressions.list(teamId, parsePageRequest(query), decodeOrigin(query.origin));
    return listResponse(page, summary);
  }

  @Get(':idOrEmail')
  @Requires('suppressions:read')
  @Responses(SuppressionResponse)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<SuppressionResponse> {
    return { object: 'suppression', ...summary(await this.suppressions.find(teamId, idOrEmail)) };
  }

  @Delete(':idOrEmail')
  @Requires('suppressions:write')
  @Responses(RemovedSuppressionResponse)
  async remove(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<RemovedSuppressionResponse> {
    const { id } = await this.suppressions.remove(teamId, idOrEmail);
    return { object: 'suppression', id, deleted: true };
  }

  private addByHand(teamId: string, emails: readonly string[]): Promise<readonly string[]> {
    return this.addSuppression.execute(
      emails.map((email) => ({ teamId, email, origin: 'manual' as const, sourceId: null })),
    );
  }
}

function summary(suppression: Suppression): SuppressionSummaryResponse {
  return {
    id: suppression.id,
    email: suppression.email,
    origin: suppression.origin,
    source_id: suppression.sourceId,
    created_at: timestamp(suppression.createdAt),
  };
}
