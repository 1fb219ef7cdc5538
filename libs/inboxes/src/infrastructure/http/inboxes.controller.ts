import { DomainNotVerifiedError } from '#domains';
import { CurrentPrincipal, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { MissingFieldError, parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathParameter, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Inboxes } from '../../application/inboxes.use-case.js';
import { InboxTakenError, ReceivingDisabledError, TooManyInboxesError } from '../../domain/inbox-errors.js';
import { maxInboxes } from '../../domain/inbox.js';
import { inboxEvents } from './inbox-events.js';
import {
  CreateInboxRequest,
  decodeAgentChanges,
  decodeInboxChanges,
  decodeNewInbox,
  UpdateInboxAgentRequest,
  UpdateInboxRequest,
} from './inbox.request.js';
import {
  agentResponse,
  InboxAgentIdResponse,
  InboxAgentResponse,
  InboxIdResponse,
  InboxResponse,
  inboxResponse,
  InboxSummaryResponse,
  inboxSummary,
  RemovedInboxResponse,
} from './inbox.response.js';

const badFromName = (): unknown => decodeInboxChanges({ from_name: 'Acme <support@acme.example>' });
const nothing = (): unknown => decodeInboxChanges({});

@Controller('inboxes')
@Describes(
  'Inboxes',
  'Addresses of your team whose mail, received and sent, is kept in threads. An inbox takes the mail for its address, and for ' +
    'its address with a `+tag`, whatever routes say.',
  inboxEvents,
)
@PathParameter('inbox', 'Id of the inbox, or its address in any case.', {}, 'support@acme.example', 'Inbox')
@PermissionsOf('emails')
export class InboxesController {
  constructor(private readonly inboxes: Inboxes) {}

  @Post()
  @Operation(
    'Create an inbox',
    `From now on the mail of the address is kept in threads. A team may have ${maxInboxes.toLocaleString('en')} inboxes.`,
  )
  @Takes(CreateInboxRequest, 'The inbox.')
  @Responses(InboxResponse, 'The inbox.', { status: 201, example: { unread: 0, last_received: null, drafts: 0 } })
  @Refuses(() => [
    new MissingFieldError('email_address'),
    () => decodeNewInbox({ email_address: 'support' }),
    badFromName,
    new DomainNotVerifiedError('acme.example'),
    new ReceivingDisabledError('acme.example'),
    new TooManyInboxesError(),
    new InboxTakenError('support@acme.example'),
  ])
  async createInbox(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return inboxResponse(await this.inboxes.add(principal, decodeNewInbox(body)));
  }

  @Get()
  @Operation('List inboxes', 'The inboxes of your team, newest first, in pages.')
  @ResponsesList(InboxSummaryResponse, 'A page of inboxes.')
  async listInboxes(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.inboxes.list(teamId, parsePageRequest(query)), inboxSummary);
  }

  @Get(':inbox')
  @Operation('Get an inbox', 'One inbox.')
  @Responses(InboxResponse, 'The inbox.')
  async getInbox(@TeamId() teamId: string, @Param('inbox') inbox: string) {
    return inboxResponse(await this.inboxes.show(teamId, inbox));
  }

  @Patch(':inbox')
  @Operation('Change an inbox', 'Changes the given names. The address of an inbox never changes.')
  @Takes(UpdateInboxRequest, 'The changes.')
  @Responses(InboxIdResponse, 'The inbox has been changed.')
  @Refuses(() => [nothing, badFromName])
  async updateInbox(@CurrentPrincipal() principal: Principal, @Param('inbox') inbox: string, @Body() body: unknown) {
    const { id } = await this.inboxes.change(principal, inbox, decodeInboxChanges(body));
    return toResponse(InboxIdResponse, { id });
  }

  @Delete(':inbox')
  @Operation(
    'Remove an inbox',
    'Its threads, labels and drafts go with it. Mail for the address is received as if it had never been an inbox.',
  )
  @Responses(RemovedInboxResponse, 'The inbox is removed.')
  async removeInbox(@CurrentPrincipal() principal: Principal, @Param('inbox') inbox: string) {
    const { id } = await this.inboxes.remove(principal, inbox);
    return toResponse(RemovedInboxResponse, { id });
  }

  @Get(':inbox/agent')
  @Operation(
    'Get the agent of an inbox',
    'What an agent is to do with the mail of the inbox. It is kept for tools of yours: Postrider itself does nothing by it.',
  )
  @Responses(InboxAgentResponse, 'The settings of the agent.')
  async getInboxAgent(@TeamId() teamId: string, @Param('inbox') inbox: string) {
    return agentResponse(await this.inboxes.agent(teamId, inbox));
  }

  @Patch(':inbox/agent')
  @Operation('Change the agent of an inbox', 'Changes the given settings.')
  @Takes(UpdateInboxAgentRequest, 'The changes.')
  @Responses(InboxAgentIdResponse, 'The settings have been changed.')
  @Refuses(() => [
    () => decodeAgentChanges({}),
    () => decodeAgentChanges({ tone: 'kind' }),
    () => decodeAgentChanges({ actions: ['reply'] }),
  ])
  async updateInboxAgent(
    @CurrentPrincipal() principal: Principal,
    @Param('inbox') inbox: string,
    @Body() body: unknown,
  ) {
    const { id } = await this.inboxes.changeAgent(principal, inbox, decodeAgentChanges(body));
    return toResponse(InboxAgentIdResponse, { id });
  }
}
