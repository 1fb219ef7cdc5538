import type { components } from '../api/schema.gen.js';
import { receiverOf } from './mail-hosts.js';
import { parseTime } from './moments.js';

type Schemas = components['schemas'];

/** What the sentence and the bars need of an attempt, a recipient and a trace of the API. */
export interface Attempt extends Omit<Schemas['TraceAttempt'], 'address' | 'tls' | 'timings_ms' | 'reply'> {
  readonly reply: Pick<Schemas['TraceReply'], 'code'> | null;
}

/** Whether no server was reached, or none said anything. */
export function wasUnreachable({ outcome, outcome_unknown, category, reply }: Attempt): boolean {
  return outcome !== 'delivered' && !outcome_unknown && category === null && reply === null;
}

/** Whether no address of ours was ready, so that nobody was asked. */
export function wasNotReady({ category, reply }: Attempt): boolean {
  return category === 'our-fault' && reply === null;
}

export type StoryEvent = Pick<Schemas['TraceEvent'], 'type' | 'created_at'>;

export interface Recipient extends Pick<Schemas['TraceRecipient'], 'recipient' | 'status' | 'next_attempt_at'> {
  readonly attempts: readonly Attempt[];
  readonly events: readonly StoryEvent[];
}

export interface Story extends Pick<Schemas['TraceResponse'], 'created_at' | 'scheduled_at'> {
  readonly recipients: readonly Recipient[];
}

/** The key of a sentence in `emails:sentence`, with what goes into it. Lengths of time are milliseconds, times are ISO 8601. */
export interface Sentence {
  readonly key: string;
  readonly receiver?: string;
  readonly took?: number;
  readonly at?: string;
  readonly category?: string;
  readonly counts?: Readonly<Record<string, number>>;
}

const reasons = new Set([
  'bad-address',
  'bad-sender',
  'mailbox-full',
  'too-large',
  'content',
  'attachment',
  'reputation',
  'policy',
  'greylisting',
  'rate',
  'protocol',
  'our-fault',
]);

/** The category of a reply for which there are plain words. */
export function reasonOf(category: string | null | undefined): string {
  return category !== null && category !== undefined && reasons.has(category) ? category : 'unknown';
}

/** The state of an email in one sentence, for someone who is not technical. */
export function sentenceOf(story: Story): Sentence {
  const [only, ...others] = story.recipients;
  if (only === undefined) return { key: 'accepted' };
  if (others.length > 0) return sentenceOfSeveral(story);
  const last = only.attempts.at(-1);
  const receiver = receiverOf(only.recipient, last?.host ?? null);
  const isEngaged = (type: string): boolean => only.events.some((event) => event.type === type);
  switch (only.status) {
    case 'delivered': {
      const key = isEngaged('email.clicked') ? 'clicked' : isEngaged('email.opened') ? 'opened' : 'delivered';
      const took = deliveryTime(story, only);
      return took === undefined ? { key: `${key}SomeTime`, receiver } : { key, receiver, took };
    }
    case 'complained':
      return { key: 'complained', receiver };
    case 'delayed':
      return {
        key: last === undefined ? 'queued' : delayOf(last),
        receiver,
        category: reasonOf(last?.category),
      };
    case 'bounced':
    case 'failed':
      return last === undefined
        ? { key: 'failed', receiver }
        : { key: 'bounced', receiver, category: reasonOf(last.category) };
    case 'scheduled':
      return { key: 'scheduled', at: story.scheduled_at ?? undefined };
    case 'suppressed':
    case 'canceled':
      return { key: only.status, receiver };
    default:
      return { key: 'queued', receiver };
  }
}

function delayOf(last: Attempt): string {
  if (wasNotReady(last)) return 'notReady';
  return wasUnreachable(last) ? 'unreachable' : 'delayed';
}

function sentenceOfSeveral({ recipients, scheduled_at }: Story): Sentence {
  const counts: Record<string, number> = {};
  for (const { status } of recipients) {
    const group = status === 'complained' ? 'delivered' : status === 'failed' ? 'bounced' : status;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  const [first] = Object.keys(counts);
  if (Object.keys(counts).length === 1 && first === 'scheduled')
    return { key: 'scheduled', at: scheduled_at ?? undefined };
  return { key: 'several', counts: { total: recipients.length, ...counts } };
}

/** From the time it was to be sent until the remote server took it. */
export function deliveryTime(
  { created_at, scheduled_at }: Story,
  { attempts }: Pick<Recipient, 'attempts'>,
): number | undefined {
  const taken = attempts.find(({ outcome }) => outcome === 'delivered');
  if (taken === undefined) return undefined;
  const begin = Math.max(
    parseTime(created_at).getTime(),
    scheduled_at === null ? 0 : parseTime(scheduled_at).getTime(),
  );
  return Math.max(0, parseTime(taken.started_at).getTime() + taken.duration_ms - begin);
}

/** Events that say something that no attempt says. */
const ownEvents = new Set([
  'email.opened',
  'email.clicked',
  'email.complained',
  'email.suppressed',
  'email.canceled',
  'email.failed',
]);

/** The events to show for a recipient beside its attempts. */
export function shownEvents<Event extends StoryEvent>({
  attempts,
  events,
}: {
  readonly attempts: readonly Attempt[];
  readonly events: readonly Event[];
}): readonly Event[] {
  const told = attempts.length > 0;
  return events.filter(
    ({ type }) => ownEvents.has(type) || (!told && /\.(delivered|bounced|delivery_delayed)$/.test(type)),
  );
}

export const phases = ['dns', 'connect', 'greeting', 'ehlo', 'tls', 'auth', 'mail', 'data', 'reply'] as const;
export type Phase = (typeof phases)[number];

export interface PhaseBar {
  readonly phase: Phase | 'waiting';
  readonly ms: number;
  /** Left end and width in the drawing, from 0 to 1. */
  readonly from: number;
  readonly share: number;
}

/** The phases of an attempt, one after the other. What no phase accounts for was spent waiting for a connection, before them. */
export function phaseBars(timings: Partial<Record<string, number>> | null, durationMs: number): readonly PhaseBar[] {
  const known = phases.flatMap((phase) => {
    const ms = timings?.[phase];
    return ms === undefined ? [] : [{ phase, ms }];
  });
  const sum = known.reduce((total, { ms }) => total + ms, 0);
  const waiting = durationMs - sum;
  const all: { phase: PhaseBar['phase']; ms: number }[] =
    waiting >= Math.max(2, durationMs * 0.02) ? [{ phase: 'waiting', ms: waiting }, ...known] : known;
  const total = Math.max(
    1,
    all.reduce((each, { ms }) => each + ms, 0),
  );
  let at = 0;
  return all.map(({ phase, ms }) => {
    const from = at / total;
    at += ms;
    return { phase, ms, from, share: ms / total };
  });
}
