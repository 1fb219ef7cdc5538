import { Injectable } from '@nestjs/common';
import { Notices, Transaction } from '#kernel';
import {
  disableAfterDays,
  disabledNotice,
  EndpointHealth,
  healthAfterFailures,
  mustBeDisabled,
  nextTryAt,
} from '../domain/failures.js';
import { isSuccess } from '../domain/webhook-message.js';
import { CallBatch, CallLog, EndpointState, FinishedCall, SettledBatch, SettledCall } from './ports/call-log.port.js';

/**
 * The end of a call, and what follows from it. One transaction settles a batch of calls:
 *
 * 1. the message: it was delivered, is tried again later, or has failed for good;
 * 2. the endpoint's health: a success resets its failures; after several failures in a row it is down, and after days without
 *    a success it is disabled;
 * 3. the notice: the team is told that its endpoint was disabled.
 */
@Injectable()
export class SettleCalls {
  /** Resolves with the state of the endpoint when everything that follows from the call is committed. */
  readonly settle: (call: FinishedCall) => Promise<EndpointState>;

  constructor(
    private readonly log: CallLog,
    private readonly notices: Notices,
  ) {
    this.settle = log.inBatches((batch, transaction) => this.settleBatch(batch, transaction));
  }

  private async settleBatch(batch: CallBatch, transaction: Transaction): Promise<SettledBatch> {
    const calls = batch.calls.map(({ call, attemptId }) => settled(call, attemptId, batch.now));
    await this.log.write(calls, transaction);
    return { calls, states: await this.updateHealth(batch, transaction) };
  }

  /** Returns the endpoints that are not up. One success in a batch outweighs all failures of that endpoint. */
  private async updateHealth(
    { uncounted, now }: CallBatch,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, EndpointState>> {
    const made = uncounted.filter(({ notCalled }) => notCalled !== true);
    const succeeded = new Set(made.filter(({ result }) => isSuccess(result)).map(({ message }) => message.webhookId));
    const failed = made.filter(({ message }) => !succeeded.has(message.webhookId));
    if (succeeded.size > 0) await this.log.succeeded([...succeeded], transaction);
    return failed.length === 0 ? new Map() : this.countFailures(failed, now, transaction);
  }

  private async countFailures(
    failed: readonly FinishedCall[],
    now: Date,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, EndpointState>> {
    const failures = new Map<string, number>();
    for (const { message } of failed) failures.set(message.webhookId, (failures.get(message.webhookId) ?? 0) + 1);
    const states = new Map<string, EndpointState>();
    for (const before of await this.log.lockHealth([...failures.keys()], transaction)) {
      const after = healthAfterFailures(before, failures.get(before.id) ?? 0, now, Math.random());
      const disables = before.status === 'enabled' && mustBeDisabled(after, now);
      const disabledReason = disables ? `Every call failed for ${disableAfterDays} days` : undefined;
      await this.log.changeHealth({ before, after, disabledReason }, transaction);
      if (disables || before.status === 'disabled') states.set(before.id, 'disabled');
      else if (after.probeAt !== null) states.set(before.id, 'down');
      if (disables) await this.announce(before.id, after, failed, transaction);
    }
    return states;
  }

  private async announce(
    id: string,
    { failingSince }: EndpointHealth,
    failed: readonly FinishedCall[],
    transaction: Transaction,
  ): Promise<void> {
    const endpoint = await this.log.describe(id, transaction);
    const last = failed.findLast(({ message }) => message.webhookId === id);
    if (endpoint === undefined || failingSince === null || last === undefined) return;
    const notice = disabledNotice({ id, ...endpoint, failingSince, lastStatus: last.result.status });
    await this.notices.announce(notice, transaction);
  }
}

function settled(call: FinishedCall, attemptId: string, now: Date): SettledCall {
  if (isSuccess(call.result)) return { call, attemptId, status: 'success', dueAt: undefined };
  const dueAt = call.notCalled === true ? undefined : nextTryAt(call.message.attempt + 1, now, Math.random());
  return { call, attemptId, status: dueAt === undefined ? 'failed' : 'attempting', dueAt };
}
