import { ContactActivity } from '#audience';
import type { EventSpan } from '#emails';
import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { RecipientsOfEvents } from './ports/recipients-of-events.port.js';

/**
 * Notes on the contacts of a team when they were last sent something, opened it and clicked, for the filters of
 * segments.
 */
@Injectable()
export class RecordActivity {
  constructor(
    private readonly recipients: RecipientsOfEvents,
    private readonly activity: ContactActivity,
  ) {}

  async record(span: EventSpan, transaction: Transaction): Promise<void> {
    // Most installations that only send transactional mail have no contacts: nothing is recorded there, and no query is made.
    if (!(await this.activity.isNeeded(transaction))) return;
    const actions = await this.recipients.actions(span, transaction);
    if (actions.length > 0) await this.activity.record(actions, transaction);
  }
}
