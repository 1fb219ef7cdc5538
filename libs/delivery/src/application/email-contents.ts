import { FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { GatheredLoads } from './gathered-loads.js';
import { LateContent } from './late-content.js';
import { MessageRenderer } from './ports/message-renderer.port.js';

const megabyte = 1024 * 1024;
/** Emails up to this size have a memory budget of their own, so that they never wait behind larger ones. */
export const maxSmallBytes = 128 * 1024;
/** Bytes of small emails that one process holds for delivery, in total and for one lane or one team. */
const smallContent = { totalBytes: 32 * megabyte, maxBytesPerOwner: 8 * megabyte };
/** The same for larger emails. A single email of any size is let through. */
const largeContent = { totalBytes: 96 * megabyte, maxBytesPerOwner: 40 * megabyte };

/**
 * Holds the content of emails in memory while hosts receive it. The memory is charged to the lane and to the team, so
 * that one silent host or one customer cannot use up the memory of the others.
 */
@Injectable()
export class EmailContents {
  private readonly small = new FairBudget(smallContent);
  private readonly large = new FairBudget(largeContent);
  private readonly loads: GatheredLoads<OutgoingEmail>;

  constructor(
    emails: OutgoingEmails,
    private readonly renderer: MessageRenderer,
  ) {
    this.loads = new GatheredLoads((ids) => emails.load(ids));
  }

  /** The email's content. Deliveries that share this object read the content once and use it together. */
  of(lane: string, { emailId, teamId, size }: ClaimedRecipient): LateContent {
    const budget = size <= maxSmallBytes ? this.small : this.large;
    return new LateContent(budget, [`lane ${lane}`, `team ${teamId}`], size, async () => {
      const email = await this.loads.load(emailId, size);
      if (email === undefined) throw new Error('the content of the email cannot be read');
      return this.renderer.render(email);
    });
  }
}
