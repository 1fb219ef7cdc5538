import { Injectable } from '@nestjs/common';
import { changeCount, Clock } from '#kernel';
import { callableUrl, maxTries, newSigningSecret, nextTryAt, signatureHeaders } from '#webhooks';
import type { Principal } from '#identity';
import { isDeeper, maxPayloadDepth } from '../domain/event-definition.js';
import { EndedCall } from '../domain/run.js';
import { CallQueue, CallSecretRepository, LeasedCall, StepAnswer, StepCaller } from './ports/step-calls.port.js';

/** Calls of one team that a process makes at once: a team whose hosts are silent leaves the others their places. */
const maxOfTeam = 8;

/** Makes the calls of the step `webhook`, with retries as for webhooks. */
@Injectable()
export class MakeCalls {
  private readonly busy = new Map<string, number>();

  constructor(
    private readonly queue: CallQueue,
    private readonly secrets: CallSecretRepository,
    private readonly caller: StepCaller,
    private readonly clock: Clock,
  ) {}

  async lease(limit: number): Promise<readonly LeasedCall[]> {
    const calls = await this.queue.lease(this.clock.now(), limit, this.busy, maxOfTeam);
    for (const { teamId } of calls) changeCount(this.busy, teamId, 1);
    return calls;
  }

  async make(call: LeasedCall): Promise<void> {
    try {
      await this.settle(call, await this.answer(call));
    } finally {
      changeCount(this.busy, call.teamId, -1);
    }
  }

  private async answer({ id, teamId, url, body }: LeasedCall): Promise<StepAnswer> {
    const now = this.clock.now();
    const { current, previous } = await this.secrets.of(teamId, now);
    const text = JSON.stringify(body);
    const secrets = previous === undefined ? [current] : [current, previous];
    const signature = signatureHeaders(`msg_${id.replaceAll('-', '')}`, now, text, secrets);
    const headers = { 'content-type': 'application/json', ...signature };
    return this.caller.call({ teamId, url: callableUrl(url), headers, body: text });
  }

  private async settle(call: LeasedCall, answer: StepAnswer): Promise<void> {
    const now = this.clock.now();
    const { status } = answer;
    const { attempts } = call;
    if (status >= 200 && status < 300) {
      await this.queue.end(call, { status, attempts, error: null, answer: valueOf(answer.body) }, now);
      return;
    }
    const error = answer.error ?? `The call was answered with HTTP status ${status}.`;
    const again = answer.isFinal ? undefined : nextTryAt(attempts, now, Math.random());
    if (again !== undefined) {
      await this.queue.retry(call, `${error} This was attempt ${attempts} of ${maxTries}.`, again);
      return;
    }
    const ended: EndedCall = { status, attempts, error, answer: valueOf(answer.body) };
    await this.queue.end(call, ended, now);
  }
}

/** The JSON of an answer. Null: it has none, or none that can be used. */
function valueOf(body: string | undefined): unknown {
  if (body === undefined || body.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(body);
    return isDeeper(value, maxPayloadDepth) ? null : value;
  } catch {
    return null;
  }
}

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
