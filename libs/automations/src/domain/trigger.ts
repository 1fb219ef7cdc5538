import { automationBeginnings } from '#events';
import { existingMoment, parseRule, ValidationError } from '#kernel';
import type { Rule } from '#kernel';
import { StepConfig, requiredText, requiredUuid, textOf, uuidOf, withoutAbsent } from './config.js';
import { parseDays } from './duration.js';
import { parseEventName, Payload } from './event-definition.js';
import { passes } from './event-rules.js';
import { dayIn, momentIn, parseTimeOfDay } from './local-time.js';

/** Its author becomes the contact. */
export const receivedMail = 'resend:email.received';

/** The events of the service with which an automation may begin. */
export const serviceTriggers = [
  'resend:contact.created',
  'resend:contact.date',
  'resend:segment.entered',
  'resend:topic.subscribed',
  ...automationBeginnings.map((type) => `resend:${type}` as const),
  receivedMail,
] as const;
type ServiceTrigger = (typeof serviceTriggers)[number];

export interface TriggerAction {
  readonly type: 'trigger';
  readonly eventName: string;
  readonly rule: Rule | null;
  /** The segment, topic or route that is meant. Null: any, or the event has none. */
  readonly subjectId: string | null;
  /** Fields of the payload that must have these values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly date: DateTrigger | null;
  /** Whether received mail counts whose author is not proven, and who may be somebody else. */
  readonly takesUnproven: boolean;
}

/** Begins on a date of the contact, or some days before or after it. */
export interface DateTrigger {
  /** The property that holds the date. */
  readonly property: string;
  readonly offsetDays: number;
  readonly time: string;
  /** On each anniversary, not on the date alone. */
  readonly everyYear: boolean;
}

/** A date at which a run begins. */
export interface DateOccurrence {
  /** Such as `2026-07-01`, with the offset. */
  readonly date: string;
  readonly at: Date;
}

const maxLinkLength = 8_192;
const maxOffsetDays = 3_650;
/** An anniversary and the next one must not be mixed up. */
const maxYearlyOffsetDays = 180;
const defaultTime = '09:00';
const dayMs = 86_400_000;
/** "Never" is often written as 9999-12-31. */
const endOfDates = new Date('9999-12-31T23:59:59Z');

/** Checks the config of a trigger. Returns it without unknown keys, too. */
export function parseTrigger(config: StepConfig): { readonly kept: StepConfig; readonly action: TriggerAction } {
  const given = textOf(config, 'event_name');
  const known = serviceTriggers.find((name) => name === given);
  if (known === undefined && given?.startsWith('resend:') === true) {
    throw new ValidationError(`The \`event_name\` must be a custom event, or one of ${serviceTriggers.join(', ')}.`);
  }
  const eventName = known ?? parseEventName('event_name', given);
  const filter = config.filter_rule ?? null;
  const rule = filter === null ? null : parseRule('The `filter_rule`', filter, ['event.']);
  const { kept, ...more } = known === undefined ? nothingMore : narrowed(known, config);
  return {
    kept: withoutAbsent({ event_name: eventName, ...kept, filter_rule: rule ?? undefined }),
    action: { type: 'trigger', eventName, rule, ...more },
  };
}

/** Whether a run begins with an event that has the name of the trigger, and is about its subject. */
export function isMeant({ rule, ...trigger }: TriggerAction, payload: Payload): boolean {
  return isAbout(trigger, payload) && passes(rule, payload);
}

/** The same without the trigger's own filter. */
export function isAbout(
  { eventName, fields, takesUnproven }: Pick<TriggerAction, 'eventName' | 'fields' | 'takesUnproven'>,
  payload: Payload,
): boolean {
  if (eventName === receivedMail && !takesUnproven && payload.author === 'unproven') return false;
  return Object.entries(fields).every(([name, value]) => payload[name] === value);
}

/** The first date after a moment on which a contact with this value begins. Undefined: there is none up to 9999, or no date. */
export function nextDate(
  { offsetDays, time, everyYear }: DateTrigger,
  value: unknown,
  zone: string,
  after: Date,
): DateOccurrence | undefined {
  const base = baseDate(value, zone);
  if (base === undefined) return undefined;
  const thisYear = Number(dayIn(zone, after).slice(0, 4));
  const ownYear = Number(base.slice(0, 4));
  const years = everyYear ? [thisYear - 1, thisYear, thisYear + 1, ownYear] : [ownYear];
  for (const year of years.filter((each) => each >= ownYear)) {
    const date = shifted(inYear(base, year), offsetDays);
    const at = isDay(date) ? momentIn(zone, date, time) : undefined;
    if (at !== undefined && at > after && at < endOfDates) return { date, at };
  }
  return undefined;
}

type Narrowed = Pick<TriggerAction, 'subjectId' | 'fields' | 'date' | 'takesUnproven'> & { readonly kept: StepConfig };

const nothingMore: Narrowed = { kept: {}, subjectId: null, fields: {}, date: null, takesUnproven: false };

function narrowed(eventName: ServiceTrigger, config: StepConfig): Narrowed {
  switch (eventName) {
    case 'resend:contact.created':
      return nothingMore;
    case 'resend:segment.entered': {
      const segmentId = requiredUuid(config, 'segment_id');
      return { ...nothingMore, kept: { segment_id: segmentId }, subjectId: segmentId };
    }
    case 'resend:topic.subscribed': {
      const topicId = requiredUuid(config, 'topic_id');
      return { ...nothingMore, kept: { topic_id: topicId }, subjectId: topicId };
    }
    case receivedMail: {
      const routeId = uuidOf(config, 'route_id');
      const author = textOf(config, 'author');
      if (author !== undefined && author !== 'proven' && author !== 'any') {
        throw new ValidationError('The `author` must be `proven` or `any`.');
      }
      const kept = { route_id: routeId, author };
      return { ...nothingMore, kept, subjectId: routeId ?? null, takesUnproven: author === 'any' };
    }
    case 'resend:contact.date':
      return onDate(config);
    default: {
      const link = eventName === 'resend:email.clicked' ? textOf(config, 'link', maxLinkLength) : undefined;
      const fields = {
        template_id: uuidOf(config, 'template_id'),
        broadcast_id: uuidOf(config, 'broadcast_id'),
        link,
      };
      return { ...nothingMore, kept: fields, fields: withoutAbsent(fields) };
    }
  }
}

function onDate(config: StepConfig): Narrowed {
  const property = requiredText(config, 'property');
  if (!/^\w{1,50}$/.test(property)) {
    throw new ValidationError('The `property` must be the key of the contact property with the date.');
  }
  const everyYear = config.every_year ?? false;
  if (typeof everyYear !== 'boolean') throw new ValidationError('The `every_year` field must be a boolean.');
  const offset = textOf(config, 'offset') ?? '0 days';
  const offsetDays = parseDays('The `offset`', offset, everyYear ? maxYearlyOffsetDays : maxOffsetDays);
  const time = parseTimeOfDay('The `time`', textOf(config, 'time') ?? defaultTime);
  return {
    ...nothingMore,
    kept: { property, offset, time, every_year: everyYear },
    date: { property, offsetDays, time, everyYear },
  };
}

/** The date that a property names: `2026-07-01`, or that of a moment in the zone of the contact. */
function baseDate(value: unknown, zone: string): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:$|[T ])/.test(value)) return undefined;
  const moment = existingMoment(value);
  if (moment === undefined) return undefined;
  const isMoment = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) && value.length > 10;
  const day = isMoment ? dayIn(zone, moment) : value.slice(0, 10);
  return isDay(day) ? day : undefined;
}

/** Whether PostgreSQL has this date, and texts have four digits for its year. */
function isDay(date: string): boolean {
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(date);
}

/** The anniversary in a year: that of 29 February is on the 28th in most of them. */
function inYear(date: string, year: number): string {
  const same = `${String(year).padStart(4, '0')}${date.slice(4)}`;
  return existingMoment(same) === undefined ? `${same.slice(0, 8)}28` : same;
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
