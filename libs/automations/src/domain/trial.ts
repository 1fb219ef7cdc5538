import { ValidationError } from '#kernel';
import { Payload } from './event-definition.js';
import { passes } from './event-rules.js';
import { RunContact, fieldsOf } from './run-fields.js';
import { explained, Rule } from './rule.js';
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

/** How long the rules of a trial are looked at. */
const maxRulesMs = 2_000;

/** What happens during a trial, in the order of time. */
export class Timeline {
  private readonly events: readonly TrialEvent[];
  private rulesMs = 0;

  constructor(events: readonly TrialEvent[]) {
    this.events = [...events].sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  /** The first such event from one moment up to another that passes the filter. Throws ValidationError if that takes too long. */
  first({ name, rule }: Awaited, from: Date, to: Date): TrialEvent | undefined {
    return this.named(name, from, to).find(({ payload }) => {
      const startedAt = performance.now();
      const isPassed = passes(rule, payload);
      this.rulesMs += performance.now() - startedAt;
      if (this.rulesMs > maxRulesMs) {
        throw new ValidationError('The rules on these events take too long to be tried: use fewer rules or events.');
      }
      return isPassed;
    });
  }

  /** Why the events with this name do not pass the filter; undefined if there is none. */
  refusal({ name, rule }: Awaited, from: Date, to: Date): string | undefined {
    const [event] = this.named(name, from, to);
    return event === undefined || rule === null ? undefined : explained(rule, reader(event.payload));
  }

  private named(name: string, from: Date, to: Date): readonly TrialEvent[] {
    return this.events.filter((event) => event.name === name && event.at >= from && event.at <= to);
  }
}

function reader(payload: Payload): ReturnType<typeof fieldsOf> {
  return fieldsOf({ payload, waitEvents: {}, webhooks: {} }, undefined);
}
