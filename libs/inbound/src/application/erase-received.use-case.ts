import { Injectable } from '@nestjs/common';
import { ReceivedEmails } from './ports/received-emails.port.js';

/** Emails of which one call erases at most. The caller calls again until it is told that there are no more. */
const maxPerCall = 500;
const first = '00000000-0000-0000-0000-000000000000';
/** Where the mail of others begins. Positions are ids. */
const ofOthers = '00000000-0000-0000-0000-000000000001';

export interface ErasedMail {
  readonly erased: number;
  /** What the next call is given; undefined at the end. */
  readonly next: string | undefined;
  /** Whether routes still work on some of it. */
  readonly isWaiting: boolean;
}

/** Deletes the mail that a person has sent to a team, and then takes the person out of the mail of others. */
@Injectable()
export class EraseReceived {
  constructor(private readonly emails: ReceivedEmails) {}

  async execute(teamId: string, address: string, after?: string): Promise<ErasedMail> {
    const lower = address.toLowerCase();
    if (after !== undefined && after !== first) {
      const { last, ...done } = await this.emails.eraseRecipient(teamId, lower, after, maxPerCall);
      return { ...done, next: last };
    }
    // Emails are deleted, so each portion is the first one.
    const erased = await this.emails.erase(teamId, lower, maxPerCall);
    return { erased, next: erased === maxPerCall ? first : ofOthers, isWaiting: false };
  }
}
