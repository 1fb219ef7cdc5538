import { Audited, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { idFromPath } from '#platform/http';
import { DescribedBy, Responses, Takes } from '#platform/openapi';
import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ControlBroadcast } from '../../application/control-broadcast.use-case.js';
import { PreviewBroadcast } from '../../application/preview-broadcast.query.js';
import { TestBroadcast } from '../../application/test-broadcast.use-case.js';
import { decodePreview, decodeTest, PreviewBroadcastRequest, TestBroadcastRequest } from './broadcast.request.js';
import {
  BroadcastPreviewResponse,
  BroadcastReferenceResponse,
  previewResponse,
  TestBroadcastResponse,
} from './broadcast.response.js';

/** What happens to a broadcast beside its life: looking at it before, and stopping it. */
@Controller('broadcasts')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/broadcast-control.description.js'))
export class BroadcastControlController {
  constructor(
    private readonly control: ControlBroadcast,
    private readonly previewBroadcast: PreviewBroadcast,
    private readonly testBroadcast: TestBroadcast,
  ) {}

  @Post(':id/cancel')
  @Requires('broadcasts:write')
  @HttpCode(200)
  @Responses(BroadcastReferenceResponse)
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.control.cancel(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  /** Addition of Postrider. */
  @Post(':id/pause')
  @Requires('broadcasts:write')
  @HttpCode(200)
  @Responses(BroadcastReferenceResponse)
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.control.pause(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  /** Addition of Postrider. */
  @Post(':id/resume')
  @Requires('broadcasts:send')
  @HttpCode(200)
  @Responses(BroadcastReferenceResponse)
  async resume(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<BroadcastReferenceResponse> {
    const broadcastId = idFromPath('id', id);
    await this.control.resume(principal, broadcastId);
    return { object: 'broadcast', id: broadcastId };
  }

  /** Addition of Postrider. */
  @Post(':id/preview')
  @Audited({ notBecause: 'it only shows' })
  @Requires('broadcasts:read')
  @HttpCode(200)
  @Takes(PreviewBroadcastRequest, false)
  @Responses(BroadcastPreviewResponse)
  async preview(
    @CurrentPrincipal() { teamId }: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<BroadcastPreviewResponse> {
    const broadcastId = idFromPath('id', id);
    return previewResponse(await this.previewBroadcast.execute(teamId, broadcastId, decodePreview(body)));
  }

  /** Addition of Postrider. */
  @Post(':id/test')
  @Audited({ notBecause: 'the emails name who has sent them' })
  @Requires('broadcasts:send')
  @HttpCode(200)
  @Takes(TestBroadcastRequest)
  @Responses(TestBroadcastResponse)
  async test(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<TestBroadcastResponse> {
    const ids = await this.testBroadcast.execute(principal, idFromPath('id', id), decodeTest(body));
    return { data: ids.map((emailId) => ({ id: emailId })) };
  }
}
