/** What holds back due mail of a lane, as seen by the worker that drains the lane. */
export interface LaneLimits {
  /** Name of the profile that set the initial limits. */
  readonly profile: string;
  /** Mail hosts of the site, by name. */
  readonly site: string;
  /** EHLO name of the source host that sends the mail, where the operator configures source hosts. */
  readonly source?: string;
  readonly heldBy: 'connection_limit' | 'rate_limit' | 'back_off';
  readonly connections: AdaptiveLimit;
  readonly messagesPerMinute: AdaptiveLimit;
  /** What last narrowed the limits, while they are narrower than the profile's. */
  readonly narrowed?: Narrowing;
}

/** A refusal because of load. */
export interface Narrowing {
  /** ISO 8601. */
  readonly at: string;
  readonly reply: string;
}

export interface AdaptiveLimit {
  readonly current: number;
  /** The initial value, which is also the maximum. */
  readonly most: number;
}

/** The limits at the time `at`. */
export interface LaneReport extends LaneLimits {
  readonly at: Date;
  /** Recipients that the worker has claimed: under way, or next. */
  readonly held: number;
  /** Recipients finished per second, averaged over recent intervals. */
  readonly perSecond: number;
}

/** Describes the limit in force, for example `connections: 2 of profile google, narrowed from 10`. */
export function describeLimit(limits: LaneLimits): string {
  const { profile } = limits;
  switch (limits.heldBy) {
    case 'connection_limit':
      return `connections: ${described(limits.connections, profile)}`;
    case 'rate_limit':
      return `messages per minute: ${described(limits.messagesPerMinute, profile)}`;
    case 'back_off':
      return `waiting before connecting again; connections: ${described(limits.connections, profile)}`;
  }
}

function described({ current, most }: AdaptiveLimit, profile: string): string {
  return `${current} of profile ${profile}${current < most ? `, narrowed from ${most}` : ''}`;
}
