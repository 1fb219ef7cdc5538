import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { newSigningSecret } from '#webhooks';
import { Injectable } from '@nestjs/common';
import { CallSecretRepository } from './ports/step-calls.port.js';

/** How long the previous secret signs as well. */
const overlapMs = 24 * 3_600_000;

/** The secret with which the calls of a team's automations are signed. It is shown once, when it is made. */
@Injectable()
export class RotateCallSecret {
  constructor(
    private readonly secrets: CallSecretRepository,
    private readonly clock: Clock,
  ) {}

  async rotate(principal: Principal): Promise<string> {
    principal.require('automations:write');
    const secret = newSigningSecret();
    await this.secrets.rotate(principal.teamId, secret, new Date(this.clock.now().getTime() + overlapMs));
    return secret;
  }
}
