import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
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
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
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
@PathId('id', 'Id of the automation.', automationId, 'Automation')
@PermissionsOf('automations')
export class AutomationRunsController {
  constructor(private readonly automations: Automations) {}

  @Get()
  @Operation('List the runs of an automation', 'Newest first, in pages.')
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
  async listAutomationRuns(@TeamId() teamId: string, @Param('id') id: string, @Query() query: RunQuery) {
    const filter = decodeRunFilter(query);
    const page = parsePageRequest(query);
    return listResponse(await this.automations.listRuns(teamId, id, filter, page), runSummary);
  }

  @Get(':runId')
  @PathId('runId', 'Id of the run.', runId)
  @Operation('Get a run', 'One run with what became of each step, and what it waits for.')
  @Responses(AutomationRunResponse, 'The run.')
  @Refuses(() => [new NotFoundError('Automation run')])
  async getAutomationRun(@TeamId() teamId: string, @Param('id') id: string, @Param('runId') run: string) {
    return runResponse(await this.automations.findRun(teamId, id, run));
  }

  @Post(':runId/cancel')
  @PathId('runId', 'Id of the run.', runId)
  @Operation('Cancel a run', 'It does no other step. A cancelled run stays as it is.')
  @Responses(CancelledRunResponse, 'The run is cancelled.')
  @Refuses(() => [new NotFoundError('Automation run'), new EndedRunError('completed')])
  async cancelAutomationRun(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('runId') cancelled: string,
  ) {
    await this.automations.cancelRun(principal, id, cancelled);
    return toResponse(CancelledRunResponse, { id: cancelled, status: 'cancelled' });
  }
}
