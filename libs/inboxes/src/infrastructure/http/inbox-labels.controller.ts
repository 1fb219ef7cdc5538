import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, NotFoundError } from '#kernel';
import { idFromPath, listResponse, ListResponse } from '#http/server';
import { Describes, Operation, PathId, PathParameter, Refuses, Responses, ResponsesAll, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, UseGuards } from '@nestjs/common';
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
@PathParameter('inbox', 'Id of the inbox, or its address in any case.', {}, 'support@acme.example')
@UseGuards(PrincipalGuard)
export class InboxLabelsController {
  constructor(private readonly labels: InboxLabels) {}

  @Get()
  @Operation('listInboxLabels', 'List the labels of an inbox', 'All of them, in the order of their names.')
  @ResponsesAll(InboxLabelSummaryResponse, 'The labels.')
  @Refuses(() => [new NotFoundError('Inbox')])
  @Requires('emails:read')
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('inbox') inbox: string,
  ): Promise<ListResponse<InboxLabelSummaryResponse>> {
    return listResponse({ items: await this.labels.list(teamId, inbox), hasMore: false }, labelSummary);
  }

  @Post()
  @Operation('createInboxLabel', 'Create a label', `An inbox may have ${maxLabels} labels.`)
  @Takes(CreateInboxLabelRequest, 'The label.')
  @Responses(InboxLabelResponse, 'The label.', { status: 201 })
  @Refuses(() => [
    new NotFoundError('Inbox'),
    new MissingFieldError('name'),
    badColor,
    new LabelTakenError('Urgent'),
    new TooManyLabelsError(),
  ])
  @Requires('emails:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Body() body: unknown,
  ): Promise<InboxLabelResponse> {
    return labelResponse(await this.labels.add(principal, inbox, decodeNewLabel(body)));
  }

  @Patch(':id')
  @PathId('id', 'Id of the label.', labelId)
  @Operation('updateInboxLabel', 'Change a label', 'Changes the given fields; threads show the label as it is then.')
  @Takes(UpdateInboxLabelRequest, 'The changes.')
  @Responses(InboxLabelIdResponse, 'The label has been changed.')
  @Refuses(() => [
    new NotFoundError('Inbox'),
    new NotFoundError(labelThing),
    () => decodeLabelChanges({}),
    badColor,
    new LabelTakenError('Urgent'),
  ])
  @Requires('emails:write')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<InboxLabelIdResponse> {
    const changed = await this.labels.change(principal, inbox, idFromPath('id', id), decodeLabelChanges(body));
    return { object: 'inbox_label', id: changed.id };
  }

  @Delete(':id')
  @PathId('id', 'Id of the label.', labelId)
  @Operation('removeInboxLabel', 'Remove a label', 'Threads lose it.')
  @Responses(RemovedInboxLabelResponse, 'The label is removed.')
  @Refuses(() => [new NotFoundError('Inbox'), new NotFoundError(labelThing)])
  @Requires('emails:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Param('id') id: string,
  ): Promise<RemovedInboxLabelResponse> {
    const removedId = idFromPath('id', id);
    await this.labels.remove(principal, inbox, removedId);
    return { object: 'inbox_label', id: removedId, deleted: true };
  }
}
