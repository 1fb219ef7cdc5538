/** The steps that decide when and where a run goes on, and those that tell others. */
import { parseRule, ValidationError } from '#kernel';
import type { Rule } from '#kernel';
import { StepConfig, requiredText, textOf, ValueOrVariable, valuesOf, withoutAbsent } from './config.js';
import { parseDuration } from './duration.js';
import { emailEvents, parseEventName } from './event-definition.js';
import { parseTimeOfDay, parseTimeZone, Weekday, weekdays } from './local-time.js';

/** An event of the contact, or something that happens to an email of the run, for which a run waits. */
interface AwaitedEvent {
  readonly eventName: string;
  readonly rule: Rule | null;
}

export type FlowAction =
  | { readonly type: 'delay'; readonly ms: number }
  | WaitUntilAction
  | ({ readonly type: 'wait_for_event'; readonly ms: number } & AwaitedEvent)
  /** From this step on the run ends as soon as the event happens. */
  | ({ readonly type: 'goal' } & AwaitedEvent)
  | { readonly type: 'condition'; readonly rule: Rule }
  /** The share of contacts that takes the branch `condition_met`. */
  | { readonly type: 'split'; readonly percent: number }
  | SendEventAction
  | WebhookAction;

export interface WaitUntilAction {
  readonly type: 'wait_until';
  readonly time: string;
  readonly weekdays: readonly Weekday[];
  /** For contacts whose zone is not known. */
  readonly timeZone: string | null;
}

export interface SendEventAction {
  readonly type: 'send_event';
  readonly eventName: string;
  readonly payload: ReadonlyMap<string, ValueOrVariable>;
}

export interface WebhookAction {
  readonly type: 'webhook';
  readonly url: string;
  /** Null: what the service tells by itself. */
  readonly body: ReadonlyMap<string, ValueOrVariable> | null;
}

type FlowType = FlowAction['type'];

interface ParsedFlow {
  readonly kept: StepConfig;
  readonly action: FlowAction;
}

/** A wait without a timeout ends after this time. */
const defaultTimeout = '30 days';
const maxUrlLength = 2_048;

export const flowParsers: Readonly<Record<FlowType, (config: StepConfig) => ParsedFlow>> = {
  delay: (config) => {
    const duration = requiredText(config, 'duration');
    return { kept: { duration }, action: { type: 'delay', ms: parseDuration('The `duration`', duration) } };
  },
  wait_until: (config) => {
    const time = parseTimeOfDay('The `time`', config.time);
    const days = weekdaysOf(config.weekdays);
    const zone = textOf(config, 'time_zone');
    const timeZone = zone === undefined ? undefined : parseTimeZone('The `time_zone`', zone);
    return {
      kept: withoutAbsent({ time, weekdays: days, time_zone: timeZone }),
      action: { type: 'wait_until', time, weekdays: days ?? weekdays, timeZone: timeZone ?? null },
    };
  },
  wait_for_event: (config) => {
    const { kept, awaited } = awaitedEvent(config);
    const timeout = textOf(config, 'timeout');
    const ms = parseDuration('The `timeout`', timeout ?? defaultTimeout);
    const { event_name, filter_rule } = kept;
    return {
      kept: withoutAbsent({ event_name, timeout, filter_rule }),
      action: { type: 'wait_for_event', ms, ...awaited },
    };
  },
  goal: (config) => {
    const { kept, awaited } = awaitedEvent(config);
    return { kept, action: { type: 'goal', ...awaited } };
  },
  condition: (config) => {
    const rule = parseRule('The condition', config, ['event.', 'contact.', 'properties.', 'wait_events.', 'webhooks.']);
    return { kept: { ...rule }, action: { type: 'condition', rule } };
  },
  split: ({ percent }) => {
    if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) {
      throw new ValidationError('The `percent` must be a number between 0 and 100.');
    }
    return { kept: { percent }, action: { type: 'split', percent } };
  },
  send_event: (config) => {
    const eventName = parseEventName('event_name', textOf(config, 'event_name'));
    const payload = valuesOf('payload', config.payload);
    return {
      kept: withoutAbsent({ event_name: eventName, payload: payload.size === 0 ? undefined : config.payload }),
      action: { type: 'send_event', eventName, payload },
    };
  },
  webhook: (config) => {
    const url = requiredText(config, 'url', maxUrlLength);
    const method = textOf(config, 'method');
    if (method !== undefined && method !== 'POST') throw new ValidationError('The `method` must be `POST`.');
    const given = config.body ?? undefined;
    const body = given === undefined ? null : valuesOf('body', given);
    return { kept: withoutAbsent({ url, method, body: given }), action: { type: 'webhook', url, body } };
  },
};

function awaitedEvent(config: StepConfig): { readonly kept: StepConfig; readonly awaited: AwaitedEvent } {
  const given = textOf(config, 'event_name');
  const known = emailEvents.find((name) => name === given);
  if (known === undefined && given?.startsWith('resend:') === true) {
    throw new ValidationError(`The \`event_name\` must be a custom event, or one of ${emailEvents.join(', ')}.`);
  }
  const eventName = known ?? parseEventName('event_name', given);
  const filter = config.filter_rule ?? null;
  const rule = filter === null ? null : parseRule('The `filter_rule`', filter, ['event.']);
  return {
    kept: withoutAbsent({ event_name: eventName, filter_rule: rule ?? undefined }),
    awaited: { eventName, rule },
  };
}

/** Undefined: all of them. */
function weekdaysOf(given: unknown): readonly Weekday[] | undefined {
  if (given === undefined || given === null) return undefined;
  const isList = Array.isArray(given) && given.length >= 1 && given.length <= weekdays.length;
  if (!isList || !given.every((day: unknown) => weekdays.some((known) => known === day))) {
    throw new ValidationError(`The \`weekdays\` must be a list of ${weekdays.join(', ')}.`);
  }
  return weekdays.filter((day) => given.includes(day));
}
