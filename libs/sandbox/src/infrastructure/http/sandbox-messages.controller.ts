import { PermissionsOf, TeamId } from '#identity';
import { parsePageRequest } from '#kernel';
import { found, jsonResponse, listResponse, releaseOnceSent } from '#http/server';
import { Describes, Operation, PathId, Responses, ResponsesList } from '#http/openapi';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SandboxInbox, SignatureVerifier } from '../../application/ports/inbox.port.js';
import { ShownMessages } from './shown-messages.js';
import {
  messageId,
  MessageResponse,
  messageResponse,
  messageSummary,
  MessageSummaryResponse,
} from './message.response.js';

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
@PathId('id', 'Id of the message.', messageId, 'Message')
@PermissionsOf('sandbox')
export class SandboxMessagesController {
  constructor(
    private readonly inbox: SandboxInbox,
    private readonly signatures: SignatureVerifier,
    private readonly messages: ShownMessages,
  ) {}

  @Get()
  @Operation('List received messages', 'The messages that the sandbox received from your team, newest first, in pages.')
  @ResponsesList(MessageSummaryResponse, 'A page of messages.')
  async listSandboxMessages(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.inbox.list({ teamId }, parsePageRequest(query)), messageSummary);
  }

  @Get(':id')
  @Operation('Get a received message', 'One message that the sandbox received from your team, whole and in its parts.')
  @Responses(MessageResponse, 'The message.')
  async getSandboxMessage(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const shown = found('Message', await this.messages.open({ teamId }, id, 'parts'));
    releaseOnceSent(reply, shown);
    return jsonResponse(messageResponse(shown, await this.signatures.verify(shown.raw, teamId)));
  }
}
