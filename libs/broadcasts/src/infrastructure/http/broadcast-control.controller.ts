import { DomainNotVerifiedError } from '#domains';
import { Audited, changesNothing, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { idFromPath } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
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
@PathId('id', 'Id of the broadcast.', broadcastId)
@UseGuards(PrincipalGuard)
export class BroadcastControlController {
  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly tries: TryBroadcast,
  ) {}

  @Post(':id/cancel')
  @Operation(
    'cancelBroadcast',
    'Cancel a broadcast',
    'A scheduled broadcast becomes a draft. One that is being sent stops for good: emails that were ' +
      'accepted are sent, and nobody else gets one.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is canceled.')
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    new BroadcastStateError('Only queued, paused or scheduled broadcasts can be canceled.'),
  ])
  @Requires('broadcasts:write')
  @HttpCode(200)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.broadcasts.cancel(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  @Post(':id/pause')
  @Operation(
    'pauseBroadcast',
    'Pause a broadcast',
    'Stops a broadcast that is being sent until it is resumed or canceled. Emails that were accepted are ' +
      'sent. An addition of Postrider.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is paused.')
  @Refuses(() => [new NotFoundError('Broadcast'), new BroadcastStateError('Only queued broadcasts can be paused.')])
  @Requires('broadcasts:write')
  @HttpCode(200)
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.broadcasts.pause(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  @Post(':id/resume')
  @Operation(
    'resumeBroadcast',
    'Resume a broadcast',
    'Goes on where it stopped, at once: nobody gets it twice. From then on it is sent by the API key or ' +
      'user that resumed it. An addition of Postrider.',
  )
  @Responses(BroadcastReferenceResponse, 'The broadcast is being sent again.')
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    new BroadcastStateError('Only paused broadcasts can be resumed.'),
    new DomainNotVerifiedError('acme.example'),
  ])
  @Requires('broadcasts:send')
  @HttpCode(200)
  async resume(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.broadcasts.resume(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  @Post(':id/preview')
  @Operation(
    'previewBroadcast',
    'Preview a broadcast',
    'Renders a broadcast as one contact would get it. Sends nothing. An addition of Postrider.',
  )
  @Takes(PreviewBroadcastRequest, 'The contact.', { required: false })
  @Responses(BroadcastPreviewResponse, 'The rendered broadcast.')
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    new NotFoundError('Contact'),
    () => decodePreview({ contact_id: contactId, email: 'ada@customer.example' }),
  ])
  @Audited(changesNothing)
  @Requires('broadcasts:read')
  @HttpCode(200)
  async preview(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<BroadcastPreviewResponse> {
    const broadcastId = idFromPath('id', id);
    return previewResponse(await this.tries.preview(teamId, broadcastId, decodePreview(body)));
  }

  @Post(':id/test')
  @Operation(
    'testBroadcast',
    'Send a test of a broadcast',
    'Sends the broadcast to some addresses to look at, as ordinary emails with `[Test]` in the subject ' +
      'and the values of the contact that has the address. They do not count for the broadcast. An addition ' +
      'of Postrider.',
  )
  @Takes(TestBroadcastRequest, 'The addresses.')
  @Responses(TestBroadcastResponse, 'The emails are accepted.')
  @Refuses(() => [
    new NotFoundError('Broadcast'),
    new DomainNotVerifiedError('acme.example'),
    new MissingFallbackError(['COMPANY']),
  ])
  @Audited({ notBecause: 'the emails name who has sent them' })
  @Requires('broadcasts:send')
  @HttpCode(200)
  async test(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<TestBroadcastResponse> {
    const ids = await this.tries.sendTest(principal, idFromPath('id', id), decodeTest(body));
    return { data: ids.map((emailId) => ({ id: emailId })) };
  }
}
