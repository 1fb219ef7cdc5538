import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { decodeBody } from '#platform/http';
import { DescribedBy, Responses, Takes } from '#platform/openapi';
import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { HoldLane } from '../../application/hold-lane.use-case.js';
import { ReadLanes } from '../../application/read-lanes.query.js';
import { PauseLaneRequest, ResumeLaneRequest } from './lanes.request.js';
import { LaneStateResponse, QueueResponse, queueResponse } from './lanes.response.js';

/** The lanes, for the operator. */
@Controller('machine-room/queue')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/lanes.description.js'))
export class LanesController {
  constructor(
    private readonly readLanes: ReadLanes,
    private readonly holdLane: HoldLane,
  ) {}

  @Get()
  @Requires('installation:read')
  @Responses(QueueResponse)
  async queue(): Promise<QueueResponse> {
    return queueResponse(await this.readLanes.execute());
  }

  @Post('pause')
  @Requires('installation:write')
  @HttpCode(200)
  @Takes(PauseLaneRequest)
  @Responses(LaneStateResponse)
  async pause(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LaneStateResponse> {
    const { lane, note } = decodeBody(PauseLaneRequest, body);
    await this.holdLane.hold(principal, lane, note);
    return { object: 'lane', lane, paused: true };
  }

  @Post('resume')
  @Requires('installation:write')
  @HttpCode(200)
  @Takes(ResumeLaneRequest)
  @Responses(LaneStateResponse)
  async resume(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LaneStateResponse> {
    const { lane } = decodeBody(ResumeLaneRequest, body);
    await this.holdLane.release(principal, lane);
    return { object: 'lane', lane, paused: false };
  }
}
