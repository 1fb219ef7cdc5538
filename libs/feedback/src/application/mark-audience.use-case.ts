import { MarkContacts } from '#audience';
import type { ContactMark } from '#audience';
import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RefusedRecipients } from './ports/reports.port.js';

/** An event of an email, as a consumer reads it. */
export interface RefusalEvent {
  readonly emailId: string;
  readonly recipientNo: number | null;
  readonly type: string;
  readonly data: unknown;
  readonly createdAt: Date;
}

/** Marks the contacts whose address does not exist or who complained, from the events that say so. */
@Injectable()
export class MarkAudience {
  constructor(
    private readonly recipients: RefusedRecipients,
    private readonly contacts: MarkContacts,
  ) {}

  async mark(events: readonly RefusalEvent[], transaction: Transaction): Promise<void> {
    const refusals = events.flatMap(refusalOf);
    if (refusals.length === 0) return;
    const recipients = await this.recipients.of(refusals, transaction);
    const known = new Map(recipients.map((recipient) => [`${recipient.emailId} ${recipient.recipientNo}`, recipient]));
    const marks = refusals.flatMap(({ emailId, recipientNo, kind, at }): ContactMark[] => {
      const recipient = known.get(`${emailId} ${recipientNo}`);
      return recipient === undefined ? [] : [{ teamId: recipient.teamId, address: recipient.address, kind, at }];
    });
    await this.contacts.mark(marks, transaction);
  }
}

interface Refusal {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly kind: ContactMark['kind'];
  readonly at: Date;
}

/** A bounce counts only if it says that the address does not exist: the same bounces that suppress an address. */
function refusalOf({ emailId, recipientNo, type, data, createdAt: at }: RefusalEvent): Refusal[] {
  if (recipientNo === null) return [];
  if (type === 'email.complained') return [{ emailId, recipientNo, kind: 'complaint', at }];
  const bounce = (data as { bounce?: { type?: unknown; subType?: unknown } } | null)?.bounce;
  const isBadAddress = bounce?.type === 'Permanent' && bounce.subType === 'NoEmail';
  return isBadAddress ? [{ emailId, recipientNo, kind: 'bounce', at }] : [];
}
