import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Automations, TooManyAutomationsError } from '../../application/automations.use-case.js';
import {
  LargeAutomationError,
  TooManyVersionsError,
  UnsendableTemplateError,
} from '../../application/check-automation.js';
import { automationStatuses } from '../../domain/automation.js';
import { Graph } from '../../domain/graph.js';
import { StepBeyondPermissionsError } from '../../domain/permissions.js';
import {
  CreateAutomationRequest,
  decodeAutomationChanges,
  decodeNewAutomation,
  decodeStatusFilter,
  UpdateAutomationRequest,
} from './automation.request.js';
import {
  AutomationIdResponse,
  automationResponse,
  AutomationResponse,
  listedAutomation,
  ListedAutomationResponse,
  RemovedAutomationResponse,
  StoppedAutomationResponse,
} from './automation.response.js';
import { automationId, copyId } from './example-ids.js';
import { AutomationMetricsResponse, metricsResponse } from './metrics.response.js';

const sizeErrors = (): readonly DescribedRefusal[] => [
  new LargeAutomationError('An automation'),
  new TooManyVersionsError(),
];

const graphErrors = (): readonly DescribedRefusal[] => [
  new StepBeyondPermissionsError('ask', 'audience:read'),
  () => Graph.parse([{ key: 'a day', type: 'delay', config: { duration: '1 day' } }], []),
  () => Graph.parse([{ key: 'start', type: 'trigger' }], []),
  new UnsendableTemplateError('welcome', 'welcome-email'),
  ...sizeErrors(),
];

/** Steps that follow an event (docs/automations.md). */
@Controller('automations')
@Describes(
  'Automations',
  'What follows when an event comes: emails, delays, conditions, changes of the contact. Each event starts a run for ' +
    'its contact in each enabled automation that begins with it. A change of the steps makes a new version; runs finish ' +
    'on the one with which they began.',
)
@PathId('id', 'Id of the automation.', automationId, 'Automation')
@PermissionsOf('automations')
export class AutomationsController {
  constructor(private readonly automations: Automations) {}

  @Post()
  @Operation('Create an automation', 'Creates an automation, disabled unless `status` says otherwise.')
  @Takes(CreateAutomationRequest, 'The automation.')
  @Responses(AutomationIdResponse, 'The automation has been created.', { status: 201 })
  @Refuses(() => [...graphErrors(), new TooManyAutomationsError()])
  async createAutomation(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return toResponse(AutomationIdResponse, { id: await this.automations.add(principal, decodeNewAutomation(body)) });
  }

  @Get()
  @Operation('List automations', 'The automations of your team without their steps, newest first, in pages.')
  @QueryParameter('status', 'Only those with this status.', { enum: [...automationStatuses] }, 'enabled')
  @ResponsesList(ListedAutomationResponse, 'A page of automations.')
  async listAutomations(
    @TeamId() teamId: string,
    @Query() query: { readonly status?: unknown; readonly limit?: unknown },
  ) {
    const status = decodeStatusFilter(query.status);
    const page = await this.automations.list(teamId, parsePageRequest(query), status);
    const totals = await this.automations.totals(page.items);
    return listResponse(page, (automation) => listedAutomation(automation, totals.get(automation.id)));
  }

  @Get(':id')
  @Operation('Get an automation', 'One automation with the steps that new runs take.')
  @Responses(AutomationResponse, 'The automation.')
  async getAutomation(@TeamId() teamId: string, @Param('id') id: string) {
    return automationResponse(await this.automations.find(teamId, id));
  }

  @Get(':id/metrics')
  @Operation(
    'See the numbers of an automation',
    'How many runs have begun and ended, how many came to each step and went along each connection, and what became of ' +
      'the emails. An addition of Postrider.',
  )
  @Responses(AutomationMetricsResponse, 'The numbers.')
  async getAutomationMetrics(@TeamId() teamId: string, @Param('id') id: string) {
    return metricsResponse(await this.automations.metrics(teamId, id));
  }

  @Patch(':id')
  @Operation(
    'Change an automation',
    'Changes the given fields. `disabled` starts no more runs and lets those finish that have begun; `stop` cancels them.',
  )
  @Takes(UpdateAutomationRequest, 'The fields to change.')
  @Responses(AutomationIdResponse, 'The automation has been changed.')
  @Refuses(() => [...graphErrors()])
  async updateAutomation(
    @CurrentPrincipal() principal: Principal,
    @Param('id') automation: string,
    @Body() body: unknown,
  ) {
    await this.automations.change(principal, automation, decodeAutomationChanges(body));
    return toResponse(AutomationIdResponse, { id: automation });
  }

  @Delete(':id')
  @Operation('Remove an automation', 'Its runs are cancelled.')
  @Responses(RemovedAutomationResponse, 'The automation is removed.')
  async removeAutomation(@CurrentPrincipal() principal: Principal, @Param('id') automation: string) {
    await this.automations.remove(principal, automation);
    return toResponse(RemovedAutomationResponse, { id: automation });
  }

  @Post(':id/duplicate')
  @Operation('Duplicate an automation', 'Creates a disabled copy. Its name ends in ` (copy)`.')
  @Responses(AutomationIdResponse, 'The copy.', { status: 201, example: { id: copyId } })
  @Refuses(() => [
    new TooManyAutomationsError(),
    new StepBeyondPermissionsError('ask', 'audience:read'),
    ...sizeErrors(),
  ])
  async duplicateAutomation(@CurrentPrincipal() principal: Principal, @Param('id') id: string) {
    return toResponse(AutomationIdResponse, { id: await this.automations.duplicate(principal, id) });
  }

  @Post(':id/stop')
  @Operation('Stop an automation', 'Disables it and cancels the runs that have begun.')
  @Responses(StoppedAutomationResponse, 'The automation is disabled, and its runs do no other step.')
  async stopAutomation(@CurrentPrincipal() principal: Principal, @Param('id') automation: string) {
    await this.automations.stop(principal, automation);
    return toResponse(StoppedAutomationResponse, { id: automation, status: 'disabled' });
  }
}
