import { ApiKeyGuard, CurrentCaller } from '#identity';
import type { Caller } from '#identity';
import { parsePageRequest } from '#kernel';
import { listAnswer, ListAnswer, timestamp } from '#platform/http';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AddSuppression } from '../../application/add-suppression.use-case.js';
import { ManageSuppressions } from '../../application/manage-suppressions.use-case.js';
import { Suppression } from '../../domain/suppression.js';
import { decodeAddition, decodeAdditions, decodeOrigin, decodeRemovals } from './suppression.request.js';

@Controller('suppressions')
@UseGuards(ApiKeyGuard)
export class SuppressionsController {
  constructor(
    private readonly addSuppression: AddSuppression,
    private readonly suppressions: ManageSuppressions,
  ) {}

  @Post()
  async add(@CurrentCaller() { teamId }: Caller, @Body() body: unknown): Promise<object> {
    const [id] = await this.addByHand(teamId, [decodeAddition(body)]);
    return { object: 'suppression', id };
  }

  @Post('batch/add')
  async addBatch(@CurrentCaller() { teamId }: Caller, @Body() body: unknown): Promise<object> {
    const ids = await this.addByHand(teamId, decodeAdditions(body));
    return { data: ids.map((id) => ({ object: 'suppression', id })) };
  }

  @Post('batch/remove')
  @HttpCode(200)
  async removeBatch(@CurrentCaller() { teamId }: Caller, @Body() body: unknown): Promise<object> {
    const ids = await this.suppressions.removeAll(teamId, decodeRemovals(body));
    return { data: ids.map((id) => ({ object: 'suppression', id, deleted: true })) };
  }

  @Get()
  async list(
    @CurrentCaller() { teamId }: Caller,
    @Query() query: { readonly origin?: unknown; readonly limit?: unknown },
  ): Promise<ListAnswer<object>> {
    const page = await this.suppressions.list(teamId, parsePageRequest(query), decodeOrigin(query.origin));
    return listAnswer(page, summary);
  }

  @Get(':idOrEmail')
  async get(@CurrentCaller() { teamId }: Caller, @Param('idOrEmail') idOrEmail: string): Promise<object> {
    return { object: 'suppression', ...summary(await this.suppressions.find(teamId, idOrEmail)) };
  }

  @Delete(':idOrEmail')
  async remove(@CurrentCaller() { teamId }: Caller, @Param('idOrEmail') idOrEmail: string): Promise<object> {
    const { id } = await this.suppressions.remove(teamId, idOrEmail);
    return { object: 'suppression', id, deleted: true };
  }

  private addByHand(teamId: string, emails: readonly string[]): Promise<readonly string[]> {
    return this.addSuppression.execute(
      emails.map((email) => ({ teamId, email, origin: 'manual' as const, sourceId: null })),
    );
  }
}

function summary(suppression: Suppression): object {
  return {
    id: suppression.id,
    email: suppression.email,
    origin: suppression.origin,
    source_id: suppression.sourceId,
    created_at: timestamp(suppression.createdAt),
  };
}
