import { Audited, changesNothing, CurrentPrincipal, PassesOn, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError } from '#kernel';
import { Describes, Operation, Refuses, Responses, Takes } from '#http/openapi';
import { Body, Controller, Post } from '@nestjs/common';
import { RotateCallSecret } from '../../application/make-calls.use-case.js';
import { TryAutomation } from '../../application/try-automation.use-case.js';
import { decodeTrial, TryAutomationRequest } from './trial.request.js';
import { CallSecretResponse } from './automation.response.js';
import { AutomationTrialResponse, trialResponse } from './trial.response.js';

/** Automations in fast time, and the secret of their calls. Additions of Postrider. */
@Controller('automations')
@Describes('Automations')
@PermissionsOf('automations')
export class AutomationToolsController {
  constructor(
    private readonly trial: TryAutomation,
    private readonly secrets: RotateCallSecret,
  ) {}

  @Post('try')
  @Operation(
    'Try an automation',
    'Simulates the steps at high speed with a contact and a payload, and explains which branch each of them takes. Nothing is ' +
      'stored, sent or called. An addition of Postrider.',
  )
  @Takes(TryAutomationRequest, 'The steps, and with whom they are tried.')
  @Responses(AutomationTrialResponse, 'What a run would do.')
  @Refuses(() => [new NotFoundError('Contact'), () => decodeTrial({ steps: [], connections: [] })])
  @Requires('automations:read')
  @PassesOn(['audience:read', 'templates:read'])
  @Audited(changesNothing)
  async tryAutomation(@TeamId() teamId: string, @Body() body: unknown) {
    return trialResponse(await this.trial.run(teamId, decodeTrial(body)));
  }
  @Post('signing-secret/rotate')
  @Operation(
    'Make a secret for calls',
    'Makes a new secret with which the calls of the step `webhook` are signed, in all automations of your team. For 24 ' +
      'hours calls are signed with the previous one as well. The secret is shown this once. An addition of Postrider.',
  )
  @Responses(CallSecretResponse, 'The new secret.')
  async rotateAutomationSecret(@CurrentPrincipal() principal: Principal): Promise<CallSecretResponse> {
    return { object: 'automation_signing_secret', signing_secret: await this.secrets.rotate(principal) };
  }
}
