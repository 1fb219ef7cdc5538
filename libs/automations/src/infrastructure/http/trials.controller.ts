import { Audited, changesNothing, CurrentPrincipal, PassesOn, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { TryAutomation } from '../../application/try-automation.use-case.js';
import { decodeTrial, TryAutomationRequest } from './trial.request.js';
import { AutomationTrialResponse, trialResponse } from './trial.response.js';

/** Automations in fast time. An addition of Postrider. */
@Controller('automations')
@Describes('Automations')
@UseGuards(PrincipalGuard)
export class TrialsController {
  constructor(private readonly trial: TryAutomation) {}

  @Post('try')
  @Operation(
    'tryAutomation',
    'Try an automation',
    'Runs steps in fast time with a contact and a payload, and says in words why each of them goes its way. Nothing is ' +
      'stored, sent or called. An addition of Postrider.',
  )
  @Takes(TryAutomationRequest, 'The steps, and with whom they are tried.')
  @Responses(AutomationTrialResponse, 'What a run would do.')
  @Refuses(() => [new NotFoundError('Contact'), () => decodeTrial({ steps: [], connections: [] })])
  @Requires('automations:read')
  @PassesOn(['audience:read'])
  @Audited(changesNothing)
  @HttpCode(200)
  async try(@CurrentPrincipal() { teamId }: Principal, @Body() body: unknown): Promise<AutomationTrialResponse> {
    return trialResponse(await this.trial.run(teamId, decodeTrial(body)));
  }
}
