/** What holds back the mail of a lane that is due, as the worker sees it that drains the lane. */
export interface LaneLimits {
  /** The rule of thumb for the site that the limits began with. */
  readonly profile: string;
  /** Mail hosts of the site, by name. */
  readonly site: string;
  /** EHLO name of our own host that the mail leaves from, where the operator names some. */
  readonly source?: string;
  readonly heldBy: 'connection_limit' | 'rate_limit' | 'back_off';
  readonly connections: AdaptiveLimit;
  readonly messagesPerMinute: AdaptiveLimit;
}

export interface AdaptiveLimit {
  readonly current: number;
  /** Where it began, and may come back to. */
  readonly most: number;
}

/** As it was at a moment. */
export interface LaneReport extends LaneLimits {
  readonly at: Date;
  /** Recipients that the worker holds: under way, or next. */
  readonly held: number;
  /** Recipients that come to an end in a second, of late. */
  readonly perSecond: number;
}

/** The limit that holds, in words: `connections: 2 of profile google, narrowed from 10`. */
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
