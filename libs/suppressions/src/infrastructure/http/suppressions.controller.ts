import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listAnswer, ListAnswer, timestamp } from '#platform/http';
import { Answers, AnswersList, ApiQuery, DescribedBy, Takes } from '#platform/openapi';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AddSuppression } from '../../application/add-suppression.use-case.js';
import { ManageSuppressions } from '../../application/manage-suppressions.use-case.js';
import { Suppression } from '../../domain/suppression.js';
import {
  AddedSuppressionAnswer,
  AddedSuppressionsAnswer,
  RemovedSuppressionAnswer,
  RemovedSuppressionsAnswer,
  SuppressionAnswer,
  SuppressionSummaryAnswer,
} from './suppression.answer.js';
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
  @Answers(AddedSuppressionAnswer, 201)
  async add(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<AddedSuppressionAnswer> {
    const [id = ''] = await this.addByHand(teamId, [decodeAddition(body)]);
    return { object: 'suppression', id };
  }

  @Post('batch/add')
  @Requires('suppressions:write')
  @Takes(AddSuppressionsRequest)
  @Answers(AddedSuppressionsAnswer, 201)
  async addBatch(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<AddedSuppressionsAnswer> {
    const ids = await this.addByHand(teamId, decodeAdditions(body));
    return { data: ids.map((id) => ({ object: 'suppression', id })) };
  }

  @Post('batch/remove')
  @Requires('suppressions:write')
  @HttpCode(200)
  @Takes(RemoveSuppressionsRequest)
  @Answers(RemovedSuppressionsAnswer)
  async removeBatch(
    @CurrentPrincipal() { teamId }: Principal,
    @Body() body: unknown,
  ): Promise<RemovedSuppressionsAnswer> {
    const ids = await this.suppressions.removeAll(teamId, decodeRemovals(body));
    return { data: ids.map((id) => ({ object: 'suppression', id, deleted: true })) };
  }

  @Get()
  @Requires('suppressions:read')
  @AnswersList(SuppressionSummaryAnswer)
  @ApiQuery({ name: 'origin', required: false, enum: ['bounce', 'complaint', 'manual'] })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: { readonly origin?: unknown; readonly limit?: unknown },
  ): Promise<ListAnswer<SuppressionSummaryAnswer>> {
    const page = await this.suppressions.list(teamId, parsePageRequest(query), decodeOrigin(query.origin));
    return listAnswer(page, summary);
  }

  @Get(':idOrEmail')
  @Requires('suppressions:read')
  @Answers(SuppressionAnswer)
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<SuppressionAnswer> {
    return { object: 'suppression', ...summary(await this.suppressions.find(teamId, idOrEmail)) };
  }

  @Delete(':idOrEmail')
  @Requires('suppressions:write')
  @Answers(RemovedSuppressionAnswer)
  async remove(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('idOrEmail') idOrEmail: string,
  ): Promise<RemovedSuppressionAnswer> {
    const { id } = await this.suppressions.remove(teamId, idOrEmail);
    return { object: 'suppression', id, deleted: true };
  }

  private addByHand(teamId: string, emails: readonly string[]): Promise<readonly string[]> {
    return this.addSuppression.execute(
      emails.map((email) => ({ teamId, email, origin: 'manual' as const, sourceId: null })),
    );
  }
}

function summary(suppression: Suppression): SuppressionSummaryAnswer {
  return {
    id: suppression.id,
    email: suppression.email,
    origin: suppression.origin,
    source_id: suppression.sourceId,
    created_at: timestamp(suppression.createdAt),
  };
}
