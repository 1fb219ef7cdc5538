import type { Engagement } from '#emails';
import { MachineReason, Visit } from './machine-rules.js';

/** The recipient that a pixel or a link was made for. */
export interface TrackedRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** A link in the copy of one recipient. */
export interface TrackedLink extends TrackedRecipient {
  /** As the sender wrote it: http or https. */
  readonly url: string;
}

/** An open or a click as it was observed, and its classification so far. */
export interface ObservedVisit extends TrackedRecipient {
  readonly kind: Visit['kind'];
  /** For a click: the link as the sender wrote it. */
  readonly url?: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly at: Date;
  /** Undefined if nothing indicates a machine. */
  readonly reason?: MachineReason;
}

/**
 * The event of a visit (docs/wire-contract.md section 22.4). `machine` and `reason` are additions of Postrider and are only
 * present for machines.
 */
export function engagementOf(visit: ObservedVisit): Engagement {
  const { emailId, recipientNo, kind, url, ipAddress, userAgent, at, reason } = visit;
  const timestamp = at.toISOString();
  const machine = reason === undefined ? {} : { machine: true, reason };
  return {
    emailId,
    recipientNo,
    event: kind === 'open' ? 'email.opened' : 'email.clicked',
    isMachine: reason !== undefined,
    at,
    data:
      kind === 'open'
        ? { open: { ipAddress, userAgent, timestamp, ...machine } }
        : { click: { ipAddress, link: url, timestamp, userAgent, ...machine } },
  };
}
