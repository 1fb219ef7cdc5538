import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { found, idFromPath, jsonResponse, listResponse, ListResponse, releaseOnceSent } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadInbox } from '../../application/read-inbox.query.js';
import { messageId } from './example-ids.js';
import { ShownMessages } from './shown-messages.js';
import { messageResponse, messageSummary } from './message.response-builder.js';
import { MessageResponse, MessageSummaryResponse } from './message.response.js';

/**
 * The messages that the sandbox received from the principal's team. Mail that belongs to no team is shown on the inbox
 * page only.
 */
@Controller('sandbox/messages')
@Describes(
  'Sandbox',
  'Mail that the built-in receiving server received from you. Only if Postrider runs with ' +
    '`DELIVERY_TRANSPORT=sandbox`, the default: no mail leaves the machine then. Additions of Postrider.',
)
@PathId('id', 'Id of the message.', messageId)
@UseGuards(PrincipalGuard)
export class SandboxMessagesController {
  constructor(
    private readonly inbox: ReadInbox,
    private readonly messages: ShownMessages,
  ) {}

  @Get()
  @Operation(
    'listSandboxMessages',
    'List received messages',
    'The messages that the sandbox received from your team, newest first, in pages.',
  )
  @ResponsesList(MessageSummaryResponse, 'A page of messages.')
  @Requires('sandbox:read')
  async list(@CurrentPrincipal() { teamId }: Principal, @Query() query: object): Promise<ListResponse<object>> {
    return listResponse(await this.inbox.list({ teamId }, parsePageRequest(query)), messageSummary);
  }

  @Get(':id')
  @Operation(
    'getSandboxMessage',
    'Get a received message',
    'One message that the sandbox received from your team, whole and in its parts.',
  )
  @Responses(MessageResponse, 'The message.')
  @Refuses(() => [new NotFoundError('Message')])
  @Requires('sandbox:read')
  async get(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const shown = found('Message', await this.messages.open({ teamId }, idFromPath('id', id), 'parts'));
    releaseOnceSent(reply, shown);
    return jsonResponse(messageResponse(shown, await this.inbox.verdict(shown.raw, teamId)));
  }
}
