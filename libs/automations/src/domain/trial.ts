import type { Rule } from '#kernel';
import { Payload } from './event-definition.js';
import { RunContact } from './run-fields.js';
import { RunStepStatus } from './run.js';
import { StepType } from './step.js';

/** Something that happens to the contact during a trial. */
export interface TrialEvent {
  readonly at: Date;
  readonly name: string;
  readonly payload: Payload;
}

/** The contact of a trial. Its changes stay in the trial. */
export interface TrialContact extends RunContact {
  readonly addedTo: readonly string[];
  readonly removedFrom: readonly string[];
  readonly isDeleted: boolean;
}

export interface TrialStep {
  readonly key: string;
  readonly type: StepType;
  readonly status: RunStepStatus;
  readonly at: Date;
  readonly output: Payload | null;
  readonly error: string | null;
  /** Why it went this way, in words. */
  readonly explanation: string;
  /** The step that follows. Null: none. */
  readonly next: string | null;
}

export interface TrialEmail {
  readonly stepKey: string;
  readonly templateId: string;
  readonly from: string;
  readonly subject: string;
  /** Null if the emails before it were large. */
  readonly html: string | null;
  readonly text: string | null;
}

export interface Trial {
  /** `not_started`: the event does not pass the filter of the trigger. */
  readonly status: 'completed' | 'failed' | 'not_started';
  readonly steps: readonly TrialStep[];
  readonly contact: TrialContact;
  readonly emails: readonly TrialEmail[];
}

export const trialStatuses: readonly Trial['status'][] = ['completed', 'failed', 'not_started'];
export const maxTrialEvents = 50;

/** An event for which a run waits, or that is its goal. */
interface Awaited {
  readonly name: string;
  readonly rule: Rule | null;
}

interface Judgement {
  readonly holds: boolean;
  readonly said: string;
}

/** Judges a rule with the payload of each event. */
type Judge = (rule: Rule, events: readonly TrialEvent[]) => Promise<readonly Judgement[]>;

/** What happens during a trial, in the order of time. */
export class Timeline {
  private readonly events: readonly TrialEvent[];
  private readonly judged = new Map<Rule, ReadonlyMap<TrialEvent, Judgement>>();

  constructor(events: readonly TrialEvent[]) {
    this.events = [...events].sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  /** The rule is judged once, whatever passes of time. It must be before an event with it is looked for. */
  async judge({ name, rule }: Awaited, judge: Judge): Promise<void> {
    if (rule === null || this.judged.has(rule)) return;
    const named = this.events.filter((event) => event.name === name);
    const judgements = await judge(rule, named);
    this.judged.set(rule, new Map(named.map((event, no) => [event, judgements[no] as Judgement])));
  }

  /** The first such event from one moment up to another that passes the filter, behind one that was taken before. */
  first({ name, rule }: Awaited, from: Date, to: Date, taken?: TrialEvent): TrialEvent | undefined {
    return this.named(name, from, to, taken).find(
      (event) => rule === null || this.judged.get(rule)?.get(event)?.holds === true,
    );
  }

  /** Why the events with this name do not pass the filter; undefined if there is none. */
  refusal({ name, rule }: Awaited, from: Date, to: Date, taken?: TrialEvent): string | undefined {
    const [event] = this.named(name, from, to, taken);
    return event === undefined || rule === null ? undefined : this.judged.get(rule)?.get(event)?.said;
  }

  private named(name: string, from: Date, to: Date, taken: TrialEvent | undefined): readonly TrialEvent[] {
    const left = taken === undefined ? this.events : this.events.slice(this.events.indexOf(taken) + 1);
    return left.filter((event) => event.name === name && event.at >= from && event.at <= to);
  }
}
