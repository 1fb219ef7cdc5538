import { Injectable } from '@nestjs/common';
import { ReceivedEmails } from './ports/received-emails.port.js';

/** Emails that one call deletes at most. The caller calls again until it is told that there are no more. */
const maxPerCall = 500;

export interface ErasedMail {
  readonly erased: number;
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

/** Deletes the mail that a person has sent to a team, because the person asks for it. */
@Injectable()
export class EraseReceived {
  constructor(private readonly emails: ReceivedEmails) {}

  async execute(teamId: string, address: string): Promise<ErasedMail> {
    const erased = await this.emails.erase(teamId, address.toLowerCase(), maxPerCall);
    return { erased, hasMore: erased === maxPerCall };
  }
}
