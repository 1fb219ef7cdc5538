import { PermissionsOf, TeamId } from '#identity';
import { Clock } from '#kernel';
import { found } from '#http/server';
import { Describes, Operation, PathId, Responses } from '#http/openapi';
import { Controller, Get, Param } from '@nestjs/common';
import { DeliveryTraces } from '../../application/ports/delivery-queue.port.js';
import { PaceHold, SenderPace } from '../../application/ports/sender-pace.port.js';
import { pacedLaneOf } from '../../domain/lane-name.js';
import { EmailTrace } from '../../domain/recipient-trace.js';
import { emailId } from './example-ids.js';
import { TraceResponse } from './trace.response.js';
import { traceResponse } from './trace.response-builder.js';

/** An addition of Postrider to the contract: the complete trace of an email. */
@Controller('emails')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class TraceController {
  constructor(
    private readonly traces: DeliveryTraces,
    private readonly pace: SenderPace,
    private readonly clock: Clock,
  ) {}

  @Get(':id/trace')
  @Operation(
    'Trace an email',
    'The complete trace of an email, recipient by recipient: where it waits and why, each attempt with ' +
      'the reply of the remote server, its encryption and timings, later reports, and events. An addition ' +
      'of Postrider.',
  )
  @Responses(TraceResponse, 'The trace.')
  async getEmailTrace(@TeamId() teamId: string, @Param('id') id: string) {
    const trace = found('Email', await this.traces.find(teamId, id));
    return traceResponse(trace, this.clock.now(), await this.paceHolds(trace));
  }

  private async paceHolds({ recipients }: EmailTrace): Promise<ReadonlyMap<string, PaceHold>> {
    const lanes = new Set(recipients.flatMap(({ place }) => (place === null ? [] : [place.lane])));
    const holds = new Map<string, PaceHold>();
    for (const lane of lanes) {
      const paced = pacedLaneOf(lane);
      const hold = paced && (await this.pace.holdOf(paced));
      if (hold !== undefined) holds.set(lane, hold);
    }
    return holds;
  }
}
