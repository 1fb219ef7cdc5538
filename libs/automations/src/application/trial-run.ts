import { DomainError } from '#kernel';
import type { Rule } from '#kernel';
import { dayOf, decide, decideAfterWait, Decision, Effect } from '../domain/decide.js';
import { Payload } from '../domain/event-definition.js';
import {
  explainCondition,
  explainEffect,
  explainEvent,
  explainGoal,
  explainMissed,
  explainNoStart,
  explainReached,
  explainSplit,
  explainTimeout,
  explainTrigger,
  explainWait,
} from '../domain/explain.js';
import { ConnectionType, Graph } from '../domain/graph.js';
import { zoneOf } from '../domain/local-time.js';
import { FieldReader, fieldsOf } from '../domain/run-fields.js';
import { EndedCall, Run, RunStepStatus } from '../domain/run.js';
import { AutomationSettings } from '../domain/settings.js';
import { AutomationStep } from '../domain/step.js';
import { Timeline, Trial, TrialContact, TrialEmail, TrialEvent, TrialStep } from '../domain/trial.js';
import { isAbout, TriggerAction } from '../domain/trigger.js';
import { LoopTurn } from './loop-turn.js';
import { TrialRules } from './trial-rules.js';

/** What a trial needs of the world to do an effect without doing it. */
export interface TrialWorld {
  /** Throws what the step would be refused with. */
  change(effect: Effect, contact: TrialContact): Promise<TrialContact>;
  /** Throws what sending would be refused with. */
  mail(stepKey: string, effect: Extract<Effect, { type: 'send_email' }>, contact: TrialContact): Promise<TrialEmail>;
}

export interface TrialSetup {
  readonly graph: Graph;
  readonly settings: AutomationSettings;
  readonly trigger: string;
  readonly payload: Payload;
  readonly contact: TrialContact;
  readonly timeline: Timeline;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly startAt: Date;
}

type SeenRun = Pick<Run, 'contactId' | 'payload' | 'depth'> & {
  waitEvents: Record<string, Payload>;
  webhooks: Record<string, unknown>;
};

/** A goal that the run has passed. */
interface Aim {
  readonly key: string;
  readonly name: string;
  readonly rule: Rule | null;
  readonly since: Date;
  readonly taken: TrialEvent | undefined;
}

/** How a step has ended, and where the run goes on. Undefined: the run ends here. */
type Way = ConnectionType | undefined;

/** A run in fast time. It decides with the code of all runs; time passes at once, and nothing is changed. */
export class TrialRun {
  private now: Date;
  private contact: TrialContact;
  private status: Trial['status'] = 'completed';
  private readonly seen: SeenRun;
  private readonly steps: TrialStep[] = [];
  private readonly emails: TrialEmail[] = [];
  private readonly aims: Aim[] = [];
  private readonly mailDays: string[] = [];
  /** By name, the event that the last wait took. It counts once. */
  private readonly taken = new Map<string, TrialEvent>();
  /** By step: why it was held back. */
  private readonly held = new Map<string, string>();
  /** When the first email was sent: what happens to emails counts from then on. */
  private mailedAt: Date | undefined;

  constructor(
    private readonly setup: TrialSetup,
    private readonly world: TrialWorld,
    private readonly rules: TrialRules,
  ) {
    const { contact, payload, startAt } = setup;
    this.now = startAt;
    this.contact = contact;
    this.seen = { contactId: contact.id, payload, depth: 0, waitEvents: {}, webhooks: {} };
  }

  async run(): Promise<Trial> {
    const { graph } = this.setup;
    const turn = new LoopTurn();
    let key: string | undefined = this.setup.trigger;
    while (key !== undefined) {
      await turn.next();
      const step = graph.step(key);
      if (step === undefined) break;
      const way: Way = await this.do(step);
      key = way === undefined ? undefined : graph.next(key, way);
    }
    for (const { key: missed, name } of this.aims) {
      if (this.steps.some((step) => step.key === missed && step.status === 'failed')) continue;
      this.note(missed, 'completed', { output: { reached: false }, explanation: explainMissed(name) });
    }
    return { status: this.status, steps: this.steps, contact: this.contact, emails: this.emails };
  }

  private get zone(): string {
    return zoneOf(this.contact.properties, this.setup.settings.timeZone);
  }

  private async do(step: AutomationStep): Promise<Way> {
    const { key } = step.stored;
    try {
      if (step.action.type === 'condition') return await this.choose(step, step.action.rule);
      for (;;) {
        const decision = decide(step, {
          run: this.seen,
          contact: this.contact.isDeleted ? undefined : this.contact,
          settings: this.setup.settings,
          now: this.now,
          emailsToday: this.mailDays.filter((day) => day === this.today()).length,
        });
        if (decision.kind !== 'postpone') return await this.follow(decision, step);
        if (this.passTime(decision.until, key)) return undefined;
        this.held.set(key, decision.because);
      }
    } catch (error) {
      // What is busy now says nothing about the step.
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return this.fail(key, error.message);
    }
  }

  /** The same result as that of `decide`, with the rules judged in a parser thread, so that no other request waits. */
  private async choose(step: AutomationStep, rule: Rule): Promise<Way> {
    const contact = this.contact.isDeleted ? undefined : this.contact;
    const { holds, said } = await this.rules.judgeOne(rule, fieldsOf(this.seen, contact));
    const { key } = step.stored;
    const next = holds ? 'condition_met' : 'condition_not_met';
    this.note(key, 'completed', { output: { result: holds }, explanation: explainCondition(said, holds), next });
    return next;
  }

  private async follow(decision: Exclude<Decision, { kind: 'postpone' }>, step: AutomationStep): Promise<Way> {
    switch (decision.kind) {
      case 'go':
        return this.go(decision, step);
      case 'wait':
        return this.wait(decision, step);
      case 'aim':
        return this.aim(step);
      case 'do':
        return this.change(decision.effect, step);
    }
  }

  private async go({ status, output, next }: Extract<Decision, { kind: 'go' }>, step: AutomationStep): Promise<Way> {
    const { key } = step.stored;
    const { action } = step;
    if (action.type === 'trigger') {
      const why = await this.whyNotMeant(action);
      if (why !== undefined) {
        this.status = 'not_started';
        this.note(key, 'skipped', { explanation: explainNoStart(why) });
        return undefined;
      }
      this.note(key, status, { output, explanation: explainTrigger(step), next });
      return next;
    }
    const result = output?.result === true;
    const reason = typeof output?.reason === 'string' ? output.reason : '';
    const explanation =
      status === 'skipped'
        ? reason
        : action.type === 'wait_until'
          ? explainWait(this.now, this.zone)
          : explainSplit(step, result);
    this.note(key, status, { output, explanation, next });
    return next;
  }

  private async whyNotMeant(trigger: TriggerAction): Promise<string | undefined> {
    const { payload } = this.seen;
    const { rule } = trigger;
    const judged = rule === null ? undefined : await this.rules.judgeOne(rule, readerOf(payload));
    if (judged?.holds !== false && isAbout(trigger, payload)) return undefined;
    return judged?.said ?? 'it is about something else';
  }

  private hear(awaited: { readonly name: string; readonly rule: Rule | null }): Promise<void> {
    return this.setup.timeline.judge(awaited, (rule, events) =>
      this.rules.judgeAll(
        rule,
        events.map(({ payload }) => readerOf(payload)),
      ),
    );
  }

  private async wait({ until, event }: Extract<Decision, { kind: 'wait' }>, step: AutomationStep): Promise<Way> {
    const { key } = step.stored;
    const { action } = step;
    if (event === undefined || action.type !== 'wait_for_event') {
      if (this.passTime(until, key)) return undefined;
      this.note(key, 'completed', { explanation: explainWait(until, this.zone), next: 'default' });
      return 'default';
    }
    const awaited = { name: event, rule: action.rule };
    await this.hear(awaited);
    const from = this.countsFrom(event, this.now);
    const taken = this.taken.get(event);
    const came = this.setup.timeline.first(awaited, from, until, taken);
    if (this.passTime(came === undefined ? until : later(this.now, came.at), key)) return undefined;
    if (came !== undefined && !event.startsWith('resend:')) this.taken.set(event, came);
    if (came !== undefined) this.seen.waitEvents = { ...this.seen.waitEvents, [event]: came.payload };
    const end = decideAfterWait(step, { hasEvent: came !== undefined, waitEvents: this.seen.waitEvents, call: null });
    const explanation =
      came === undefined
        ? explainTimeout(event, until, this.zone, this.setup.timeline.refusal(awaited, from, until, taken))
        : explainEvent(event, came.at, this.zone);
    this.note(key, end.status, { output: end.output, explanation, next: end.next });
    return end.next;
  }

  /** What happens to an email counts from when it was sent, and what happens to the contact from the beginning. */
  private countsFrom(event: string, now: Date): Date {
    return event.startsWith('resend:') ? (this.mailedAt ?? now) : this.setup.startAt;
  }

  private async aim({ stored: { key }, action }: AutomationStep): Promise<Way> {
    if (action.type !== 'goal') return 'default';
    const { eventName: name, rule } = action;
    await this.hear({ name, rule });
    this.note(key, 'waiting', { explanation: explainGoal(name), next: 'default' });
    this.aims.push({ key, name, rule, since: this.countsFrom(name, this.now), taken: this.taken.get(name) });
    return this.passTime(this.now, undefined) ? undefined : 'default';
  }

  private async change(effect: Effect, step: AutomationStep): Promise<Way> {
    const { key } = step.stored;
    if (effect.type === 'webhook') return this.call(effect, step);
    if (effect.type === 'send_email') {
      const email = await this.world.mail(key, effect, this.contact);
      this.emails.push(email);
      this.mailDays.push(this.today());
      this.mailedAt ??= this.now;
      const explanation = explainEffect(effect, email.subject, this.contact);
      this.note(key, 'completed', { output: { template_id: email.templateId }, explanation, next: 'default' });
      return 'default';
    }
    const before = this.contact;
    this.contact = await this.world.change(effect, before);
    this.note(key, 'completed', { explanation: explainEffect(effect, undefined, before), next: 'default' });
    return 'default';
  }

  /** Nobody is called: the answer is that of the request, or none. */
  private call(effect: Effect, step: AutomationStep): Way {
    const { key } = step.stored;
    const answer = Object.hasOwn(this.setup.answers, key) ? this.setup.answers[key] : null;
    const call: EndedCall = { status: 200, attempts: 1, error: null, answer };
    if (answer !== null) this.seen.webhooks = { ...this.seen.webhooks, [key]: answer };
    const { status, output, next } = decideAfterWait(step, { hasEvent: false, waitEvents: {}, call });
    this.note(key, status, { output, explanation: explainEffect(effect, undefined, undefined), next });
    return next;
  }

  /** Moves on to a moment, unless a goal is reached before: then the run has ended. */
  private passTime(until: Date, waitingKey: string | undefined): boolean {
    const { timeline } = this.setup;
    const [reached] = this.aims
      .flatMap((aim) => {
        const event = timeline.first(aim, aim.since, until, aim.taken);
        return event === undefined ? [] : [{ aim, at: later(this.now, event.at) }];
      })
      .sort((a, b) => a.at.getTime() - b.at.getTime());
    if (reached === undefined) {
      this.now = later(this.now, until);
      return false;
    }
    this.now = reached.at;
    const { key, name } = reached.aim;
    if (waitingKey !== undefined) {
      const reason = `The goal \`${key}\` has been reached.`;
      this.note(waitingKey, 'skipped', { output: { reason }, explanation: reason });
    }
    this.aims.splice(this.aims.indexOf(reached.aim), 1);
    this.note(key, 'completed', {
      output: { reached: true },
      explanation: explainReached(name, reached.at, this.zone),
    });
    return true;
  }

  private fail(key: string, error: string): Way {
    this.status = 'failed';
    this.note(key, 'failed', { error, explanation: error });
    return undefined;
  }

  /** A step of which something was noted before has its last outcome, at its place. */
  private note(
    key: string,
    status: RunStepStatus,
    more: {
      readonly output?: Payload;
      readonly error?: string;
      readonly explanation: string;
      readonly next?: ConnectionType;
    },
  ): void {
    const { graph } = this.setup;
    const because = this.held.get(key);
    const step = {
      key,
      type: graph.step(key)?.stored.type ?? 'trigger',
      status,
      at: this.now,
      output: more.output ?? null,
      error: more.error ?? null,
      explanation: because === undefined ? more.explanation : `${because} ${more.explanation}`,
      next: more.next === undefined ? null : (graph.next(key, more.next) ?? null),
    };
    const known = this.steps.findIndex((each) => each.key === key);
    if (known === -1) this.steps.push(step);
    else this.steps[known] = { ...step, next: step.next ?? this.steps[known]?.next ?? null };
  }

  private today(): string {
    return dayOf(this.contact, this.setup.settings, this.now);
  }
}

function readerOf(payload: Payload): FieldReader {
  return fieldsOf({ payload, waitEvents: {}, webhooks: {} }, undefined);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
