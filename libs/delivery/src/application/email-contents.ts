import { FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { GatheredLoads } from './gathered-loads.js';
import { LateContent } from './late-content.js';
import { MessageRenderer } from './ports/message-renderer.port.js';

const megabyte = 1024 * 1024;
/** Emails up to this size have memory of their own, so that they never wait behind larger ones. */
export const maxSmallBytes = 128 * 1024;
/** Content of small emails that one process holds for delivery, and how much of it is for one lane or one team. */
const smallContent = { totalBytes: 32 * megabyte, maxBytesPerOwner: 8 * megabyte };
/** The same for larger emails. A single email of any size gets through. */
const largeContent = { totalBytes: 96 * megabyte, maxBytesPerOwner: 40 * megabyte };

/**
 * The content of emails in the memory of this process, while hosts take it. Charged to the lane and to the team: one silent
 * host, or one customer, cannot keep the memory from the others.
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

  /** What those who share it read at most once at a time. */
  of(lane: string, { emailId, teamId, size }: ClaimedRecipient): LateContent {
    const budget = size <= maxSmallBytes ? this.small : this.large;
    return new LateContent(budget, [`lane ${lane}`, `team ${teamId}`], size, async () => {
      const email = await this.loads.load(emailId, size);
      if (email === undefined) throw new Error('the content of the email cannot be read');
      return this.renderer.render(email);
    });
  }
}
