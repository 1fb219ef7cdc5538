import { contentErrors, decodeSendRequest } from '#emails';
import type { Withheld } from '#emails';
import { Audited, changesNothing, CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { ReadBudget, timestampOrNull } from '#http/server';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { DryRunEmail } from '../../application/dry-run-email.use-case.js';
import { UncheckableError } from '../../domain/message-facts.js';
import { decodeDryRunOptions, DryRunEmailRequest } from './dry-run.request.js';
import { bytesPerByte } from './insights.controller.js';
import { DryRunResponse, findingsResponse } from './insights.response.js';

/** An addition of Postrider to the contract: what sending an email would do. */
@Controller('emails')
@Describes('Emails')
@UseGuards(PrincipalGuard)
export class DryRunController {
  constructor(
    private readonly dryRun: DryRunEmail,
    private readonly reads: ReadBudget,
    private readonly clock: Clock,
  ) {}

  @Post('dry-run')
  @Operation(
    'Try an email without sending it',
    'Takes the body of `POST /emails` and sends nothing. It is refused with what sending would be refused with. Otherwise ' +
      'it answers who would get the email and who would not, the message, and the insights into it. Nothing is stored but ' +
      'the entry in the logs, and nothing counts against a quota. With `check_links` the links of the email are asked for, which takes up to 10 ' +
      'seconds. An addition of Postrider.',
    { sends: true },
  )
  @Takes(DryRunEmailRequest, 'The email.')
  @Responses(DryRunResponse, 'What sending it would do.')
  @Refuses(() => [...contentErrors(), new UncheckableError('the message has more than 1,000 parts')])
  @Requires('emails:send')
  @Audited(changesNothing)
  async dryRunEmail(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<DryRunResponse> {
    const request = decodeSendRequest(body, this.clock.now());
    const run = await this.dryRun.run(principal, request, decodeDryRunOptions(body), (bytes, work) =>
      this.held(principal.teamId, bytes, work),
    );
    return {
      object: 'email_dry_run',
      from: run.from,
      subject: run.subject,
      recipients: run.recipients.map(({ address, kind, withheld, lane }) => ({
        address,
        kind,
        would_send: withheld === undefined,
        withheld_reason: reasonOf(withheld),
        lane,
      })),
      scheduled_at: timestampOrNull(run.scheduledAt),
      tls: run.tls,
      size: run.size,
      source: run.source ?? null,
      ...findingsResponse(run.findings),
    };
  }

  private async held<Result>(teamId: string, bytes: number, work: () => Promise<Result>): Promise<Result> {
    const share = await this.reads.take(teamId, bytes * bytesPerByte);
    try {
      return await work();
    } finally {
      share.release();
    }
  }
}

function reasonOf(withheld: Withheld | undefined): string | null {
  if (withheld === undefined) return null;
  return withheld.status === 'suppressed' ? withheld.data.suppressed.reason : withheld.data.failed.reason;
}
