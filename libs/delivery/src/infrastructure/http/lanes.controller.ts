import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { LaneNotPausedError, LanePausedError, OperateLanes } from '../../application/operate-lanes.use-case.js';
import { PauseLaneRequest, ResumeLaneRequest } from './lanes.request.js';
import { LaneStateResponse, QueueResponse, queueResponse } from './lanes.response.js';

const invalidLane = new ValidationError(
  'The `lane` field must be the name of a lane, such as `eu-west-1/default/mx:gmail.com`.',
);

/** The lanes, for the operator. */
@Controller('machine-room/queue')
@Describes(
  'Machine room',
  'The state of the installation, for its operator. API keys and members of teams may not read it.',
)
@PermissionsOf('installation')
export class LanesController {
  constructor(private readonly lanes: OperateLanes) {}

  @Get()
  @Operation(
    'Get the queue',
    'The lanes that wait most, with what holds them back, and the workers. A reading is shared for a second.',
  )
  @Responses(QueueResponse, 'The queue.')
  async getQueue() {
    return queueResponse(await this.lanes.overview());
  }

  @Post('pause')
  @Operation(
    'Pause a lane',
    'No worker takes mail from the lane until it is resumed. Deliveries under way end. The pause outlives ' +
      'restarts. Mail that waits too long fails as usual, once the lane is resumed.',
  )
  @Takes(PauseLaneRequest, 'The lane.')
  @Responses(LaneStateResponse, 'The lane is paused.')
  @Refuses(() => [invalidLane, new LanePausedError()])
  async pauseLane(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LaneStateResponse> {
    const { lane, note } = decodeBody(PauseLaneRequest, body);
    await this.lanes.pause(principal, lane, note);
    return { object: 'lane', lane, paused: true };
  }

  @Post('resume')
  @Operation('Resume a lane', 'Ends the pause. Workers take mail from the lane at once.')
  @Takes(ResumeLaneRequest, 'The lane.')
  @Responses(LaneStateResponse, 'The lane is resumed.', { example: { paused: false } })
  @Refuses(() => [invalidLane, new LaneNotPausedError()])
  async resumeLane(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<LaneStateResponse> {
    const { lane } = decodeBody(ResumeLaneRequest, body);
    await this.lanes.resume(principal, lane);
    return { object: 'lane', lane, paused: false };
  }
}
