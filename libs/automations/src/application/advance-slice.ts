import { ConsentingContact, ConsentingContacts, ContactValues } from '#audience';
import { Clock, DomainError, LastStatements, newId, Transaction, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SpentMinuteError, spentOrigin } from '../domain/budget.js';
import { dayOf, decide, decideAfterWait, Decision, Effect } from '../domain/decide.js';
import { Payload } from '../domain/event-definition.js';
import { passes } from '../domain/event-rules.js';
import { lacks, missingFor } from '../domain/permissions.js';
import { AutomationStep } from '../domain/step.js';
import { AnswersOfSlice } from './answers-of-slice.js';
import { DoEffects, OpenEffects } from './do-effects.js';
import { HeardEvent } from './ports/event-queue.port.js';
import { AdvancedRun, DueRun, EmailsOfDay, Goal, Passage, RunQueue } from './ports/run-queue.port.js';
import { Outcome, rest, StepDone, stepOf } from './step-outcome.js';

/** When a step is tried again that room or quota has kept from being done. */
const postponedMs = 600_000;
/**
 * How long the steps of a slice may take to decide on. 149 conditions with large rules on a large payload take longer:
 * then the rest comes in the next slice.
 */
const maxDecidedForMs = 50;
/** How long a wait whose time is over goes on at least while events wait that were accepted before. */
const earlyMs = 1_000;
/** Updates of its contact that a run may make in one slice, each with a few statements for all runs. */
const maxRounds = 5;
/** The same beside other mail, which waits for the slice. */
const maxRoundsBesideOthers = 2;

/** What the runs of a slice share. */
interface Slice extends OpenEffects {
  contacts: ReadonlyMap<string, ConsentingContact>;
  /** By contact and day, where emails are counted. */
  readonly emailsOfDay: Map<string, EmailsOfDay>;
  /** Names of events that are kept, by contact. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
  /** Origins and teams that have spent what automations may cause. */
  readonly spent: ReadonlySet<string>;
  readonly answers: AnswersOfSlice;
  decidedForMs: number;
}

/** A run on its way through a slice. */
interface Underway {
  readonly due: DueRun;
  readonly steps: StepDone[];
  readonly passed: Passage[];
  readonly goals: Goal[];
  /** The next step, if the run has just updated its contact: it goes on in the next round. */
  nextKey?: string | undefined;
}

/**
 * Does the next steps of runs in one transaction. Each run goes on
 *
 * - through steps that only choose the next one (`trigger`, `condition`, `split`, `goal`),
 * - until it waits (`delay`, `wait_until`, `wait_for_event`),
 * - until a step has changed something outside of it: the steps behind it see the contact as it is then, in the next
 *   slice,
 * - until nothing follows: it is completed.
 *
 * Runs that have updated their contact go on in the same slice, in rounds: they have locked it, and nothing else. They
 * rest in front of every other change, so that all other locks are taken in the first round.
 */
@Injectable()
export class AdvanceSlice {
  constructor(
    private readonly queue: RunQueue,
    private readonly effects: DoEffects,
    private readonly contacts: ConsentingContacts,
    private readonly values: ContactValues,
    private readonly clock: Clock,
  ) {}

  /** Returns the last statements of the transaction, which write what became of the runs. */
  async advance(due: readonly DueRun[], transaction: Transaction): Promise<LastStatements<() => void>> {
    const contacts = await this.contactsOf(due, transaction);
    const emailsOfDay = await this.countedEmails(due, contacts, transaction);
    const counted = new Map([...emailsOfDay].map(([key, { emails }]) => [key, emails]));
    const kept = await this.keptNames(due, transaction);
    const spent = await this.spent(due, transaction);
    const answers = await AnswersOfSlice.lock(this.queue, { due, contacts, now: this.clock.now() }, transaction);
    const begun = this.effects.begin(transaction);
    const slice: Slice = { ...begun, contacts, emailsOfDay, kept, spent, answers, decidedForMs: 0 };
    const ended = await this.inRounds(due, slice);
    const last = await this.effects.finish(slice);
    const sentMore = [...emailsOfDay].flatMap(([key, day]) => (day.emails === counted.get(key) ? [] : [day]));
    const send = async (): Promise<() => void> => {
      const written = [
        sentMore.length > 0 && this.queue.writeEmailCounts(sentMore, transaction),
        answers.written.length > 0 && this.queue.writeAnswers(answers.written, transaction),
        slice.changes.length > 0 && this.queue.noteChanges(slice.changes, this.clock.now(), transaction),
        this.queue.record(ended, this.clock.now(), transaction),
      ];
      const [announceEmails] = await Promise.all([last.send(), ...written]);
      return announceEmails;
    };
    return { mayRefuse: last.mayRefuse, send };
  }

  private async contactsOf(
    due: readonly DueRun[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, ConsentingContact>> {
    const byTeam = new Map<string, Set<string>>();
    for (const { run } of due) byTeam.set(run.teamId, (byTeam.get(run.teamId) ?? new Set()).add(run.contactId));
    const portions = await Promise.all(
      [...byTeam].map(async ([teamId, ids]) => {
        const properties = await this.values.propertiesOf(teamId);
        return this.contacts.read({ teamId, ids: [...ids], topicId: null, properties }, transaction);
      }),
    );
    return new Map(portions.flatMap((portion) => [...portion]));
  }

  private async keptNames(
    due: readonly DueRun[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const listening = due.filter(({ graph }) => graph.awaited.size > 0);
    return listening.length === 0 ? new Map() : this.queue.keptNames(listening, transaction);
  }

  private async spent(due: readonly DueRun[], transaction: Transaction): Promise<ReadonlySet<string>> {
    const sending = due.filter(({ graph }) => graph.sendsEvents);
    return sending.length === 0 ? new Set() : this.queue.spent(sending, this.clock.now(), transaction);
  }

  /** Locked before any contact is, in each slice: two slices never wait for each other. */
  private async countedEmails(
    due: readonly DueRun[],
    contacts: ReadonlyMap<string, ConsentingContact>,
    transaction: Transaction,
  ): Promise<Map<string, EmailsOfDay>> {
    const days = new Map<string, Omit<EmailsOfDay, 'emails'>>();
    for (const { run, settings, isCounted } of due) {
      const contact = contacts.get(run.contactId);
      if (!isCounted || contact === undefined) continue;
      const day = { contactId: contact.id, day: dayOf(contact, settings, this.clock.now()) };
      days.set(keyOf(day), day);
    }
    const counted = days.size === 0 ? [] : await this.queue.lockEmailCounts([...days.values()], transaction);
    return new Map(counted.map((day) => [keyOf(day), day]));
  }

  private async inRounds(due: readonly DueRun[], slice: Slice): Promise<readonly AdvancedRun[]> {
    const advanced = new Map<Underway, AdvancedRun>();
    // In the order of their contacts, which are locked: two slices never wait for each other.
    let going = inOrder(due, slice.contacts).map((one): Underway => {
      return { due: one, steps: [], passed: [], goals: goalsOf(one) };
    });
    for (let round = 1; ; round++) {
      const running: Promise<AdvancedRun>[] = [];
      for (const one of going) {
        // Those that are left are still due.
        if (slice.decidedForMs > maxDecidedForMs) break;
        running.push((await slice.updates.untilAdded(() => this.advanceRun(one, slice))).running);
      }
      await slice.updates.write();
      const ended = await Promise.all(running);
      for (const [position, one] of ended.entries()) advanced.set(going[position] as Underway, one);
      if (round >= (this.effects.isOtherMailComing ? maxRoundsBesideOthers : maxRounds)) break;
      going = going.slice(0, ended.length).filter(({ nextKey }) => nextKey !== undefined);
      if (going.length === 0) break;
      slice.contacts = await this.contactsOf(
        going.map((one) => one.due),
        slice.transaction,
      );
    }
    return [...advanced.values()];
  }

  private async advanceRun(underway: Underway, slice: Slice): Promise<AdvancedRun> {
    const { due, nextKey } = underway;
    const { run, graph } = due;
    const isFirst = nextKey === undefined;
    if (isFirst && due.isStopped) return cancelled(due, this.clock.now());
    if (isFirst && run.reachedGoal !== null) return this.reached(run.reachedGoal, underway);
    let key = nextKey ?? run.stepKey ?? undefined;
    let isWaiting = isFirst && run.isWaiting;
    underway.nextKey = undefined;
    while (key !== undefined) {
      const step = graph.step(key);
      if (step === undefined) return this.ended('failed', underway);
      if (!isFirst && !locksNothingMore(step))
        return resting(underway, rest(key, {}, this.clock.now(), underway.goals));
      const outcome = isWaiting ? this.afterWait(step, due) : await this.do(step, due, slice);
      isWaiting = false;
      this.note(key, outcome, underway);
      if (outcome.isReached === true) return this.reached(key, underway);
      if (outcome.goal !== undefined) underway.goals.push(outcome.goal);
      const next = graph.next(key, outcome.next);
      if (outcome.status === 'failed' && (outcome.next === undefined || next === undefined)) {
        return this.ended('failed', underway);
      }
      if (outcome.call !== undefined) return resting(underway, rest(key, outcome, null, underway.goals));
      if (outcome.until !== undefined) return resting(underway, rest(key, outcome, outcome.until, underway.goals));
      if (next !== undefined) underway.passed.push({ from: key, type: outcome.next ?? 'default' });
      key = next;
      if (key !== undefined && (outcome.hasEffect === true || slice.decidedForMs > maxDecidedForMs)) {
        if (outcome.hasEffect === true && step.action.type === 'contact_update') underway.nextKey = key;
        return resting(underway, rest(key, {}, this.clock.now(), underway.goals));
      }
    }
    return this.ended('completed', underway);
  }

  /** A wait is not over before the events that were accepted before its end have been dealt with. */
  private afterWait(step: AutomationStep, { run, isEarly }: DueRun): Outcome {
    if (!isEarly || step.action.type !== 'wait_for_event') return decideAfterWait(step, run);
    const until = new Date(this.clock.now().getTime() + earlyMs);
    return { status: 'waiting', until, waitingEvent: step.action.eventName };
  }

  private async do(step: AutomationStep, due: DueRun, slice: Slice): Promise<Outcome> {
    const { run, settings, permissions } = due;
    const missing = missingFor(step, (permission) => permissions?.has(permission) !== false);
    if (missing !== undefined) return { status: 'failed', error: lacks(missing) };
    const contact = slice.contacts.get(run.contactId);
    const now = this.clock.now();
    const day =
      due.isCounted && contact !== undefined
        ? slice.emailsOfDay.get(keyOf({ contactId: contact.id, day: dayOf(contact, settings, now) }))
        : undefined;
    try {
      const startedAt = performance.now();
      const decision = decide(step, { run, contact, settings, now, emailsToday: day?.emails ?? 0 });
      slice.decidedForMs += performance.now() - startedAt;
      const outcome = await this.follow(decision, step, due, slice);
      if (outcome.emailId !== undefined && day !== undefined) {
        slice.emailsOfDay.set(keyOf(day), { ...day, emails: day.emails + 1 });
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.kind !== 'unavailable' && error.kind !== 'limited') return { status: 'failed', error: error.message };
      const until = new Date(this.clock.now().getTime() + postponedMs);
      return { status: 'waiting', until, postponedBecause: error.message };
    }
  }

  private async follow(decision: Decision, step: AutomationStep, due: DueRun, slice: Slice): Promise<Outcome> {
    switch (decision.kind) {
      case 'go':
        return decision;
      case 'wait':
        return this.wait(decision, step, due, slice);
      case 'aim': {
        const met = await this.happened(decision.event, step, due, slice);
        const goal = { stepKey: step.stored.key, eventName: decision.event };
        return { status: 'waiting', goal, isReached: met !== undefined, next: 'default' };
      }
      case 'postpone':
        return { status: 'waiting', until: decision.until, postponedBecause: decision.because };
      case 'do':
        return this.change(decision.effect, step, due, slice);
    }
  }

  /** What happened to an email before the run came to the step counts, too, and so does an event behind its trigger. */
  private async wait(
    { until, event }: Extract<Decision, { kind: 'wait' }>,
    step: AutomationStep,
    due: DueRun,
    slice: Slice,
  ): Promise<Outcome> {
    if (event === undefined) return { status: 'waiting', until };
    const met = await this.happened(event, step, due, slice);
    if (met === undefined) return { status: 'waiting', until, waitingEvent: event };
    if (met.position !== undefined) return { status: 'waiting', until, waitingEvent: event, taken: met };
    return { status: 'completed', output: { event, payload: met.payload }, next: 'event_received' };
  }

  private async happened(
    event: string,
    { action }: AutomationStep,
    { run }: DueRun,
    slice: Slice,
  ): Promise<HeardEvent | undefined> {
    if (!('rule' in action)) return undefined;
    const { rule } = action;
    const isKept = slice.kept.get(run.contactId)?.includes(event) === true;
    const heard = event.startsWith('resend:')
      ? (await this.queue.happened(run.id, event, slice.transaction)).map((payload) => ({ name: event, payload }))
      : isKept
        ? await this.queue.kept(run.id, event, slice.transaction)
        : [];
    const startedAt = performance.now();
    const met = heard.find(({ payload }) => passes(rule, payload));
    slice.decidedForMs += performance.now() - startedAt;
    return met;
  }

  private async change(
    effect: Effect,
    { stored: { key: stepKey } }: AutomationStep,
    due: DueRun,
    slice: Slice,
  ): Promise<Outcome> {
    if (effect.type === 'webhook') return this.call(effect, stepKey, due, slice);
    if (effect.type === 'send_event' && slice.spent.has(due.run.originId)) throw new ValidationError(spentOrigin);
    if (effect.type === 'send_event' && slice.spent.has(due.run.teamId)) throw new SpentMinuteError();
    const contact = slice.contacts.get(due.run.contactId) as ConsentingContact;
    const refusal = effect.type === 'send_email' ? slice.answers.refusal(due.run, contact) : undefined;
    if (refusal !== undefined) return { status: 'skipped', output: { reason: refusal }, next: 'default' };
    const done = await this.effects.do(effect, due, contact, slice);
    if (effect.type === 'send_email') slice.answers.note(due.run, contact);
    return { status: 'completed', ...done, next: 'default', hasEffect: true };
  }

  /** It is made after the commit: nothing is locked while somebody is asked. */
  private call(
    { url, body }: Extract<Effect, { type: 'webhook' }>,
    stepKey: string,
    { run: { id, automationId, contactId, payload } }: DueRun,
    { contacts }: Slice,
  ): Outcome {
    const contact = contacts.get(contactId);
    const told = {
      automation_id: automationId,
      run_id: id,
      step_key: stepKey,
      event: payload,
      contact: shown(contact),
    };
    return { status: 'waiting', call: { id: newId(this.clock.now().getTime()), url, body: body ?? told } };
  }

  /** Ends a run that has reached a goal: what it was waiting for is skipped. */
  private reached(goal: string, underway: Underway): AdvancedRun {
    const { run } = underway.due;
    const waiting = run.isWaiting || run.isPostponed ? run.stepKey : null;
    if (waiting !== null && !underway.steps.some(({ key }) => key === waiting)) {
      const output = { reason: `The goal \`${goal}\` has been reached.` };
      this.note(waiting, { status: 'skipped', output }, underway);
    }
    this.note(goal, { status: 'completed', output: { reached: true } }, underway);
    underway.goals.splice(0, underway.goals.length, ...underway.goals.filter(({ stepKey }) => stepKey !== goal));
    return this.ended('completed', underway, true);
  }

  /** The goals that it has not reached are over, too. */
  private ended(status: 'completed' | 'failed', underway: Underway, isGoal = false): AdvancedRun {
    for (const { stepKey } of underway.goals) {
      this.note(stepKey, { status: 'completed', output: { reached: false } }, underway);
    }
    return resting(underway, isGoal ? { status, isGoal } : { status });
  }

  /** A step of which something was noted before has its last outcome. */
  private note(key: string, outcome: Outcome, { due, steps }: Underway): void {
    const step = stepOf(due, key, outcome, this.clock.now());
    const known = steps.findIndex((each) => each.key === key);
    if (known === -1) steps.push(step);
    else steps[known] = { ...step, startedAt: steps[known]?.startedAt ?? step.startedAt };
  }
}

/** By team and address, as everybody locks contacts. */
function inOrder(due: readonly DueRun[], contacts: ReadonlyMap<string, ConsentingContact>): readonly DueRun[] {
  return due
    .map((one) => ({ one, key: `${one.run.teamId} ${contacts.get(one.run.contactId)?.email}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);
}

/** Steps that change nothing at once, or only the contact of their run. An unsubscription is counted in a row of its team. */
function locksNothingMore({ action }: AutomationStep): boolean {
  if (action.type === 'contact_update') return !action.fields.has('unsubscribed');
  return ['condition', 'split', 'goal', 'delay', 'wait_until', 'wait_for_event', 'webhook'].includes(action.type);
}

function resting({ due: { run }, steps, passed }: Underway, next: AdvancedRun['next']): AdvancedRun {
  return { run, steps, passed, next };
}

/** What a run was waiting for is skipped when its automation is stopped. */
function cancelled(due: DueRun, now: Date): AdvancedRun {
  const { stepKey, isWaiting, isPostponed, goals } = due.run;
  const waiting = (isWaiting || isPostponed) && stepKey !== null ? [stepKey, ...goals] : goals;
  const steps = waiting.map((key) => stepOf(due, key, { status: 'skipped' }, now));
  return { run: due.run, steps, passed: [], next: { status: 'cancelled' } };
}

function goalsOf({ run, graph }: DueRun): Goal[] {
  return run.goals.flatMap((stepKey): Goal[] => {
    const action = graph.step(stepKey)?.action;
    return action?.type === 'goal' ? [{ stepKey, eventName: action.eventName }] : [];
  });
}

function shown(contact: ConsentingContact | undefined): Payload | null {
  if (contact === undefined) return null;
  const { id, email, firstName, lastName, unsubscribed, properties } = contact;
  return { id, email, first_name: firstName, last_name: lastName, unsubscribed, properties };
}

function keyOf({ contactId, day }: Pick<EmailsOfDay, 'contactId' | 'day'>): string {
  return `${contactId} ${day}`;
}
