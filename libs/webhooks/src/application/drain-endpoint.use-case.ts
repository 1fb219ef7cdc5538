import { Injectable } from '@nestjs/common';
import { BudgetShare, Clock, FairBudget, HeldCount, Notices, Slots, Transaction, WakeUps } from '#kernel';
import {
  disableAfterDays,
  disabledNotice,
  EndpointHealth,
  healthAfterFailures,
  mustBeDisabled,
  nextTryAt,
} from '../domain/failures.js';
import { CallResult, DueMessage, isSuccess } from '../domain/webhook-message.js';
import {
  CallBatch,
  CallLog,
  CallTally,
  EndpointState,
  FinishedCall,
  SettledBatch,
  SettledCall,
} from './ports/webhook-calls.port.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { StoredEvent } from '../domain/payload.js';
import { LaneEndpoint, LargeEvent, MessageQueue, StoredEvents } from './ports/message-queue.port.js';

/* The calls of one endpoint: `DrainEndpoint` makes them, and `SettleCalls` records how each of them ended. */

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
    const made = uncounted.filter(({ notCalled }) => notCalled === undefined);
    const tallies = talliesOf(made);
    if (tallies.size > 0) await this.log.count([...tallies.values()], now, transaction);
    const failed = made.filter(({ message }) => tallies.get(message.webhookId)?.succeeded === 0);
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

function talliesOf(calls: readonly FinishedCall[]): ReadonlyMap<string, CallTally> {
  const tallies = new Map<string, CallTally>();
  for (const last of calls) {
    const id = last.message.webhookId;
    const { calls: before = 0, succeeded = 0 } = tallies.get(id) ?? {};
    tallies.set(id, { id, calls: before + 1, succeeded: succeeded + (isSuccess(last.result) ? 1 : 0), last });
  }
  return tallies;
}

function settled(call: FinishedCall, attemptId: string, now: Date): SettledCall {
  if (isSuccess(call.result) || call.notCalled === 'not wanted') {
    return { call, attemptId, status: 'success', dueAt: undefined };
  }
  const dueAt = call.notCalled === 'not stored' ? undefined : nextTryAt(call.message.attempt + 1, now, Math.random());
  return { call, attemptId, status: dueAt === undefined ? 'failed' : 'attempting', dueAt };
}

/** Messages that a lane holds in memory at once. More are read when half of them are left. */
const maxHeld = 192;
/**
 * A lane without work polls after `firstLookMs`, then at growing intervals up to `maxLookMs`, and is released after
 * `idleMs`. It has to poll because the database sends no wake-up for a lane that a worker has.
 */
const firstLookMs = 25;
const maxLookMs = 200;
const idleMs = 1_000;
/** Maximum time for which messages are sent without a new look at the endpoint's row, if no wake-up comes. */
const maxUncheckedMs = 1_000;

const megabyte = 1024 * 1024;
/** Bytes of large events that are held during their calls, in a process and for a team. A single larger one is let through. */
const largeEvents = { total: 64 * megabyte, maxPerOwner: 16 * megabyte };

/**
 * Sends the due messages of one endpoint until none is left or the lane is told to stop:
 *
 * 1. acquire the lane, so that no other worker calls the endpoint;
 * 2. claim: read due messages and the endpoint's row, without marking them;
 * 3. call: load the events, sign and send each message, those of one email in sequence (`EndpointDrain`);
 * 4. settle each call (`SettleCalls`), which also says whether the endpoint is still up;
 * 5. release the lane once no message has come for `idleMs`.
 *
 * An endpoint is in one of three states:
 *
 * - up: up to `maxCalls` messages are sent at once;
 * - down, after several failures in a row: one message is sent as a probe when its time has come, and between probes no
 *   worker has the lane;
 * - disabled or removed: nothing is claimed, and messages that were read are dropped from memory.
 */
@Injectable()
export class DrainEndpoint {
  private readonly memory = new FairBudget(largeEvents);

  constructor(
    private readonly queue: MessageQueue,
    private readonly events: StoredEvents,
    private readonly caller: CallEndpoint,
    private readonly calls: SettleCalls,
    private readonly clock: Clock,
  ) {}

  /** When it resolves or throws, no call of the lane is under way and the lane is released. */
  async drain(webhookId: string, workerId: string, wakeUps: WakeUps): Promise<void> {
    if (!(await this.queue.acquireLane(webhookId, workerId))) return;
    const drain = new EndpointDrain(this.events, this.caller, this.calls, this.clock, this.memory);
    try {
      await this.sendAll(webhookId, workerId, wakeUps, drain);
    } finally {
      drain.halt();
      await drain.ended();
      await this.queue.releaseLane(webhookId, workerId);
    }
    if (drain.failure !== undefined) throw drain.failure;
  }

  private async sendAll(webhookId: string, workerId: string, wakeUps: WakeUps, drain: EndpointDrain): Promise<void> {
    let look = firstLookMs;
    let idleSince = performance.now();
    while (!wakeUps.stopping && drain.failure === undefined) {
      await this.waitForRoom(drain, wakeUps);
      const room = maxHeld - drain.messageIds.length;
      const work = await this.queue.work(webhookId, workerId, this.clock.now(), drain.messageIds, room);
      if (work === undefined) return;
      // The endpoint is down: one message at a time is sent as a probe. Between probes no worker has the lane.
      if (work.endpoint.probeAt !== null) {
        await drain.ended();
        if (work.due.length === 0) return;
      }
      await drain.add(work.endpoint, work.due);
      if (work.endpoint.probeAt !== null) await drain.ended();
      if (work.due.length > 0) {
        look = firstLookMs;
        idleSince = performance.now();
        if (work.due.length === room) continue;
      }
      const isNotified = await wakeUps.next(look);
      if (!isNotified) look = Math.min(look * 2, maxLookMs);
      if (drain.messageIds.length === 0 && performance.now() - idleSince > idleMs) return;
    }
  }

  /**
   * Waits until the lane holds few enough messages to read more. A wake-up ends the wait early: it may mean that the
   * endpoint was changed or disabled, and that must not wait for slow calls.
   */
  private async waitForRoom(drain: EndpointDrain, wakeUps: WakeUps): Promise<void> {
    const isFull = drain.messageIds.length > maxHeld / 2;
    if (isFull && !drain.isHalted) await wakeUps.next(maxUncheckedMs, drain.hasAtMost(maxHeld / 2));
    if (drain.isHalted) await drain.ended();
  }
}

/** Maximum number of calls under way to one endpoint at once. */
const maxCalls = 32;

const notStored: CallResult = { status: 0, response: 'The event is no longer stored', durationMs: 0 };

/** The messages of one lane that this process holds. They are sent concurrently, but those of one email in sequence. */
class EndpointDrain {
  /** An error of this process, not of the endpoint: the worker must release the lane. */
  failure: Error | undefined;

  private readonly held = new Map<string, DueMessage>();
  private readonly count = new HeldCount();
  private readonly slots = new Slots(maxCalls);
  /** By email, the end of its last held message: the next message of that email waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  /** Messages whose call has not begun are dropped from memory and read from the queue again later. */
  private halted = false;
  private endpoint: LaneEndpoint | undefined;

  constructor(
    private readonly events: StoredEvents,
    private readonly caller: CallEndpoint,
    private readonly calls: SettleCalls,
    private readonly clock: Clock,
    private readonly memory: FairBudget,
  ) {}

  get messageIds(): readonly string[] {
    return [...this.held.keys()];
  }

  get isHalted(): boolean {
    return this.halted;
  }

  /** Starts no further call, because the endpoint must not be called any more, or not by this worker. */
  halt(): void {
    this.halted = true;
  }

  hasAtMost(limit: number): Promise<void> {
    return this.count.atMost(limit);
  }

  ended(): Promise<void> {
    return this.count.atMost(0);
  }

  /** Resolves when the small events are loaded; the calls continue. Messages already held use the new `endpoint` as well. */
  async add(endpoint: LaneEndpoint, messages: readonly DueMessage[]): Promise<void> {
    this.endpoint = endpoint;
    if (messages.length === 0) return;
    if (this.held.size === 0) this.halted = false;
    const events = await this.events.loadSmall(messages.map(({ source }) => source));
    messages.forEach((message, position) => this.start(message, events[position]));
  }

  private start(message: DueMessage, event: StoredEvent | LargeEvent | undefined): void {
    this.held.set(message.id, message);
    this.count.add(1);
    const before = this.tails.get(message.source.id) ?? Promise.resolve();
    const end = before
      .then(() => this.send(message, event))
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
        this.halted = true;
      })
      .finally(() => {
        if (this.tails.get(message.source.id) === end) this.tails.delete(message.source.id);
        this.held.delete(message.id);
        this.count.remove(1);
      });
    this.tails.set(message.source.id, end);
  }

  private async send(message: DueMessage, held: StoredEvent | LargeEvent | undefined): Promise<void> {
    if (held === undefined) return this.settleNotStored(message);
    // Before the slot: events that wait for the memory of a slow endpoint of their team do not keep small ones waiting.
    const share = await this.shareFor(held);
    await this.slots.take();
    let sentAt: Date;
    let ended: Awaited<ReturnType<CallEndpoint['call']>>;
    try {
      // The endpoint may have changed during the wait.
      const { endpoint } = this;
      if (this.halted || endpoint === undefined) return;
      const event = held.kind === 'large' ? (await this.events.load([message.source]))[0] : held;
      if (event === undefined) return await this.settleNotStored(message);
      sentAt = this.clock.now();
      ended = await this.caller.call({ message, event, endpoint, sentAt, isWanted: () => !this.halted });
    } finally {
      share?.release();
      this.slots.release();
    }
    if (ended === undefined) return;
    if ((await this.calls.settle({ message, sentAt, ...ended })) !== 'up') this.halted = true;
  }

  private async shareFor(held: StoredEvent | LargeEvent): Promise<BudgetShare | undefined> {
    if (held.kind !== 'large' || this.halted || this.endpoint === undefined) return undefined;
    return this.memory.take([this.endpoint.teamId], held.bytes);
  }

  private async settleNotStored(message: DueMessage): Promise<void> {
    await this.calls.settle({ message, sentAt: this.clock.now(), result: notStored, notCalled: 'not stored' });
  }
}
