import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  BroadcastEvent,
  BroadcastEventKind,
  BroadcastOutcomes,
  maxLinkLength,
} from '../ports/broadcast-outcomes.port.js';

/** An event of the log of emails. */
export interface EventOfEmail {
  readonly emailId: string;
  readonly createdAt: Date;
  readonly type: string;
  readonly data: unknown;
}

const kinds: Readonly<Record<string, BroadcastEventKind>> = {
  'email.delivered': 'delivered',
  'email.delivery_delayed': 'delivery_delayed',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.suppressed': 'suppressed',
  'email.failed': 'failed',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
};

/** Follows the events of emails, and keeps what became of broadcasts. */
@Injectable()
export class RecordProgress {
  constructor(private readonly statistics: BroadcastOutcomes) {}

  async execute(events: readonly EventOfEmail[], transaction: Transaction): Promise<void> {
    const known = events.flatMap((event) => broadcastEvent(event) ?? []);
    if (known.length > 0) await this.statistics.add(known, transaction);
  }
}

function broadcastEvent({ emailId, createdAt, type, data }: EventOfEmail): BroadcastEvent | undefined {
  const kind = kinds[type];
  if (kind === undefined) return undefined;
  const { bounce, open, click } = (data ?? {}) as {
    readonly bounce?: { readonly type?: unknown };
    readonly open?: { readonly machine?: unknown };
    readonly click?: { readonly machine?: unknown; readonly link?: unknown };
  };
  return {
    ...{ emailId, createdAt, kind },
    isMachine: open?.machine === true || click?.machine === true,
    bounceType: kind === 'bounced' ? bounceType(bounce?.type) : null,
    link: typeof click?.link === 'string' ? click.link.slice(0, maxLinkLength).toWellFormed() : null,
  };
}

function bounceType(type: unknown): 'permanent' | 'transient' | 'undetermined' {
  if (type === 'Permanent') return 'permanent';
  return type === 'Transient' ? 'transient' : 'undetermined';
}
