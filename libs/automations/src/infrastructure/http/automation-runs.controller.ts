import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathId,
  QueryList,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
} from '#http/openapi';
import { Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Automations, EndedRunError } from '../../application/automations.use-case.js';
import { listedStepStatuses, runStatuses } from '../../domain/run.js';
import { decodeRunFilter } from './automation.request.js';
import type { RunQuery } from './automation.request.js';
import {
  AutomationRunResponse,
  AutomationRunSummaryResponse,
  CancelledRunResponse,
  runResponse,
  runSummary,
} from './automation.response.js';
import { automationId, contactId, runId } from './example-ids.js';

/** The ways of contacts through an automation. */
@Controller('automations/:id/runs')
@Describes('Automations')
@PathId('id', 'Id of the automation.', automationId)
@UseGuards(PrincipalGuard)
export class AutomationRunsController {
  constructor(private readonly automations: Automations) {}

  @Get()
  @Operation('listAutomationRuns', 'List the runs of an automation', 'Newest first, in pages.')
  @QueryList(
    'status',
    'Only runs with one of these statuses. A run that waits for a quota is `running`, and `quota_exceeded` means the same.',
    { enum: [...runStatuses, 'quota_exceeded'] },
    ['running', 'failed'],
  )
  @QueryParameter('step_key', 'Only runs that have come to this step.', {}, 'hello')
  @QueryParameter(
    'step_status',
    'Only runs of which this became of the step `step_key`.',
    { enum: [...listedStepStatuses] },
    'waiting',
  )
  @QueryParameter('contact_id', 'Only runs of this contact.', { format: 'uuid' }, contactId)
  @ResponsesList(AutomationRunSummaryResponse, 'A page of runs.')
  @Refuses(() => [new NotFoundError('Automation')])
  @Requires('automations:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Query() query: RunQuery,
  ): Promise<ListResponse<AutomationRunSummaryResponse>> {
    const filter = decodeRunFilter(query);
    const page = parsePageRequest(query);
    return listResponse(await this.automations.listRuns(teamId, idFromPath('id', id), filter, page), runSummary);
  }

  @Get(':runId')
  @PathId('runId', 'Id of the run.', runId)
  @Operation('getAutomationRun', 'Get a run', 'One run with what became of each step, and what it waits for.')
  @Responses(AutomationRunResponse, 'The run.')
  @Refuses(() => [new NotFoundError('Automation'), new NotFoundError('Automation run')])
  @Requires('automations:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Param('runId') run: string,
  ): Promise<AutomationRunResponse> {
    return runResponse(await this.automations.findRun(teamId, idFromPath('id', id), idFromPath('runId', run)));
  }

  @Post(':runId/cancel')
  @PathId('runId', 'Id of the run.', runId)
  @Operation('cancelAutomationRun', 'Cancel a run', 'It does no other step. A cancelled run stays as it is.')
  @Responses(CancelledRunResponse, 'The run is cancelled.')
  @Refuses(() => [new NotFoundError('Automation'), new NotFoundError('Automation run'), new EndedRunError('completed')])
  @Requires('automations:write')
  @HttpCode(200)
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('runId') run: string,
  ): Promise<CancelledRunResponse> {
    const cancelled = idFromPath('runId', run);
    await this.automations.cancelRun(principal, idFromPath('id', id), cancelled);
    return { object: 'automation_run', id: cancelled, status: 'cancelled' };
  }
}
