import { DomainNotVerifiedError } from '#domains';
import { Audited, changesNothing, CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { Broadcasts } from '../../application/broadcasts.use-case.js';
import { TryBroadcast } from '../../application/try-broadcast.use-case.js';
import { BroadcastStateError, MissingFallbackError } from '../../domain/broadcast-errors.js';
import { broadcastId, contactId } from './example-ids.js';
import { decodePreview, decodeTest, PreviewBroadcastRequest, TestBroadcastRequest } from './broadcast.request.js';
import {
  BroadcastPreviewResponse,
  BroadcastReferenceResponse,
  previewResponse,
  TestBroadcastResponse,
} from './broadcast.response.js';

/** Preview, test, pause, resume, cancel. */
@Controller('broadcasts')
@Describes('Broadcasts')
@PathId('id', 'Id of the broadcast.', broadcastId, 'Broadcast')
@PermissionsOf('broadcasts')
export class BroadcastControlController {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly tries: TryBroadcast,
  ) {}

  @Post(':id/cancel')
  @Operation(
    'Cancel a broadcast',
    'A scheduled broadcast becomes a draft. One that is being sent stops for good: emails that were ' +
      'accepted are sent, and nobody else gets one.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is canceled.')
  @Refuses(() => [new BroadcastStateError('Only queued, paused or scheduled broadcasts can be canceled.')])
  async cancelBroadcast(@CurrentPrincipal() principal: Principal, @Param('id') broadcastId: string) {
    await this.broadcasts.cancel(principal, broadcastId);
    return toResponse(BroadcastReferenceResponse, { id: broadcastId });
  }

  @Post(':id/pause')
  @Operation(
    'Pause a broadcast',
    'Stops a broadcast that is being sent until it is resumed or canceled. Emails that were accepted are ' +
      'sent. An addition of Postrider.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is paused.')
  @Refuses(() => [new BroadcastStateError('Only queued broadcasts can be paused.')])
  async pauseBroadcast(@CurrentPrincipal() principal: Principal, @Param('id') broadcastId: string) {
    await this.broadcasts.pause(principal, broadcastId);
    return toResponse(BroadcastReferenceResponse, { id: broadcastId });
  }

  @Post(':id/resume')
  @Operation(
    'Resume a broadcast',
    'Goes on where it stopped, at once: nobody gets it twice. From then on it is sent by the API key or ' +
      'user that resumed it. An addition of Postrider.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is being sent again.')
  @Refuses(() => [
    new BroadcastStateError('Only paused broadcasts can be resumed.'),
    new DomainNotVerifiedError('acme.example'),
  ])
  @Requires('broadcasts:send')
  async resumeBroadcast(@CurrentPrincipal() principal: Principal, @Param('id') broadcastId: string) {
    await this.broadcasts.resume(principal, broadcastId);
    return toResponse(BroadcastReferenceResponse, { id: broadcastId });
  }

  @Post(':id/preview')
  @Operation(
    'Preview a broadcast',
    'Renders a broadcast as one contact would get it. Sends nothing. An addition of Postrider.',
  )
  @Takes(PreviewBroadcastRequest, 'The contact.', { required: false })
  @Responses(BroadcastPreviewResponse, 'The rendered broadcast.')
  @Refuses(() => [
    new NotFoundError('Contact'),
    () => decodePreview({ contact_id: contactId, email: 'ada@customer.example' }),
  ])
  @Audited(changesNothing)
  @Requires('broadcasts:read')
  async previewBroadcast(@TeamId() teamId: string, @Param('id') broadcastId: string, @Body() body: unknown) {
    return previewResponse(await this.tries.preview(teamId, broadcastId, decodePreview(body)));
  }

  @Post(':id/test')
  @Operation(
    'Send a test of a broadcast',
    'Sends the broadcast to some addresses to look at, as ordinary emails with `[Test]` in the subject ' +
      'and the values of the contact that has the address. They do not count for the broadcast. An addition ' +
      'of Postrider.',
  )
  @Takes(TestBroadcastRequest, 'The addresses.')
  @Responses(TestBroadcastResponse, 'The emails are accepted.')
  @Refuses(() => [new DomainNotVerifiedError('acme.example'), new MissingFallbackError(['COMPANY'])])
  @Audited({ notBecause: 'the emails name who has sent them' })
  @Requires('broadcasts:send')
  async testBroadcast(@CurrentPrincipal() principal: Principal, @Param('id') id: string, @Body() body: unknown) {
    const ids = await this.tries.sendTest(principal, id, decodeTest(body));
    return toResponse(TestBroadcastResponse, { data: ids.map((emailId) => ({ id: emailId })) });
  }
}
