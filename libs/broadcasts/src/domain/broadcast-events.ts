import { EmailOutcome, outcomeOf } from '#events';

/** An event of the log of emails. */
export interface EventOfEmail {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly type: string;
  readonly data: unknown;
}

/** An event of an email, as far as the results of broadcasts count it. */
export interface BroadcastEvent {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly kind: EmailOutcome;
  /** A privacy proxy or a scanner of links did it. */
  readonly isMachine: boolean;
  /** Of a bounce. */
  readonly bounceType: 'permanent' | 'transient' | 'undetermined' | null;
  /** Of a click: the link as the sender wrote it. */
  readonly link: string | null;
}

/**
 * Links of a broadcast that are counted one by one. If each recipient has links of its own, further ones count only as
 * clicks.
 */
export const maxCountedLinks = 1_000;
const maxLinkLength = 2_000;

/** The events that broadcasts count. */
export function broadcastEvents(events: readonly EventOfEmail[]): readonly BroadcastEvent[] {
  return events.flatMap((event) => broadcastEvent(event) ?? []);
}

function broadcastEvent({ emailId, createdAt, type, data }: EventOfEmail): BroadcastEvent | undefined {
  const kind = outcomeOf(type);
  if (kind === undefined) return undefined;
  const { bounce, open, click } = (data ?? {}) as {
    readonly bounce?: { readonly type?: unknown };
    readonly open?: { readonly machine?: unknown };
    readonly click?: { readonly machine?: unknown; readonly link?: unknown };
  };
  return {
    emailId,
    createdAt,
    kind,
    isMachine: open?.machine === true || click?.machine === true,
    bounceType: kind === 'bounced' ? bounceType(bounce?.type) : null,
    link: typeof click?.link === 'string' ? click.link.slice(0, maxLinkLength).toWellFormed() : null,
  };
}

function bounceType(type: unknown): 'permanent' | 'transient' | 'undetermined' {
  if (type === 'Permanent') return 'permanent';
  return type === 'Transient' ? 'transient' : 'undetermined';
}
