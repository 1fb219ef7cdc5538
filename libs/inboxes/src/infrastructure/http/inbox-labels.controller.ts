import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, ResponsesAll, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { InboxLabels, labelThing } from '../../application/inbox-labels.use-case.js';
import { LabelTakenError, TooManyLabelsError } from '../../domain/inbox-errors.js';
import { maxLabels } from '../../domain/inbox.js';
import { labelId } from './example-ids.js';
import {
  CreateInboxLabelRequest,
  decodeLabelChanges,
  decodeNewLabel,
  UpdateInboxLabelRequest,
} from './inbox.request.js';
import {
  InboxLabelIdResponse,
  InboxLabelResponse,
  InboxLabelSummaryResponse,
  labelResponse,
  labelSummary,
  RemovedInboxLabelResponse,
} from './inbox.response.js';

const badColor = (): unknown => decodeNewLabel({ name: 'Urgent', color: 'red' });

@Controller('inboxes/:inbox/labels')
@Describes('Inboxes')
@PathParameter('inbox', 'Id of the inbox, or its address in any case.', {}, 'support@acme.example', 'Inbox')
@PermissionsOf('emails')
export class InboxLabelsController {
  constructor(private readonly labels: InboxLabels) {}

  @Get()
  @Operation('List the labels of an inbox', 'All of them, in the order of their names.')
  @ResponsesAll(InboxLabelSummaryResponse, 'The labels.')
  async listInboxLabels(@TeamId() teamId: string, @Param('inbox') inbox: string) {
    return listResponse({ items: await this.labels.list(teamId, inbox), hasMore: false }, labelSummary);
  }

  @Post()
  @Operation('Create a label', `An inbox may have ${maxLabels} labels.`)
  @Takes(CreateInboxLabelRequest, 'The label.')
  @Responses(InboxLabelResponse, 'The label.', { status: 201 })
  @Refuses(() => [new MissingFieldError('name'), badColor, new LabelTakenError('Urgent'), new TooManyLabelsError()])
  async createInboxLabel(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Body() body: unknown,
  ) {
    return labelResponse(await this.labels.add(principal, inbox, decodeNewLabel(body)));
  }

  @Patch(':id')
  @PathId('id', 'Id of the label.', labelId, labelThing)
  @Operation('Change a label', 'Changes the given fields; threads show the label as it is then.')
  @Takes(UpdateInboxLabelRequest, 'The changes.')
  @Responses(InboxLabelIdResponse, 'The label has been changed.')
  @Refuses(() => [() => decodeLabelChanges({}), badColor, new LabelTakenError('Urgent')])
  async updateInboxLabel(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    const changed = await this.labels.change(principal, inbox, id, decodeLabelChanges(body));
    return toResponse(InboxLabelIdResponse, { id: changed.id });
  }

  @Delete(':id')
  @PathId('id', 'Id of the label.', labelId, labelThing)
  @Operation('Remove a label', 'Threads lose it.')
  @Responses(RemovedInboxLabelResponse, 'The label is removed.')
  async removeInboxLabel(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('id') removedId: string,
  ) {
    await this.labels.remove(principal, inbox, removedId);
    return toResponse(RemovedInboxLabelResponse, { id: removedId });
  }
}
