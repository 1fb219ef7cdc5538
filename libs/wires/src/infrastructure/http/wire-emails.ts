import { AcceptEmails, SendShared } from '#emails';
import type { BatchItem, SendRequest, SharedSendRequest } from '#emails';
import { checkIdempotencyKey, fingerprintOfLarge } from '#idempotency';
import type { IdempotentRequest } from '#idempotency';
import type { AuditSettings, Principal } from '#identity';
import { DomainError, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';

export const sendsMail: AuditSettings = {
  notBecause: 'each email names who sent it, and there are far more emails than changes',
};

/** What makes a request that sends the same as an earlier one: `Idempotency-Key` is understood on every wire. */
export interface Submission {
  readonly principal: Principal;
  /** Method and path. */
  readonly endpoint: string;
  readonly key: string | undefined;
  /** As JSON has it. */
  readonly body: unknown;
}

/** Sends what the wires have translated, through the use cases of `POST /emails` and `POST /emails/batch`. */
@Injectable()
export class WireEmails {
  constructor(
    private readonly acceptEmails: AcceptEmails,
    private readonly sendShared: SendShared,
  ) {}

  async one(submission: Submission, request: SendRequest): Promise<{ readonly id: string }> {
    return this.acceptEmails.send(submission.principal, request, await idempotent(submission));
  }

  /** `permissive`: the valid ones are accepted, and the faults of the others are listed by their position. */
  async several(
    submission: Submission,
    items: readonly BatchItem[],
    permissive: boolean,
  ): ReturnType<AcceptEmails['sendBatch']> {
    return this.acceptEmails.sendBatch(submission.principal, { items, permissive }, await idempotent(submission));
  }

  /** One email for each recipient, of one content. */
  async personal(submission: Submission, request: SharedSendRequest): Promise<{ readonly ids: readonly string[] }> {
    return this.sendShared.send(submission.principal, request, await idempotent(submission));
  }
}

async function idempotent({ principal, endpoint, key, body }: Submission): Promise<IdempotentRequest | undefined> {
  const checked = checkIdempotencyKey(key);
  if (checked === undefined) return undefined;
  return { teamId: principal.teamId, endpoint, key: checked, fingerprint: await fingerprintOfLarge(body) };
}

/** One item of several: what was read, or the refusal of it. */
export function itemOf(read: () => SendRequest): BatchItem {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** The other provider has it, and this program has nothing like it. */
export class NoCounterpartError extends ValidationError {
  constructor(what: string, instead?: string) {
    super(`${what} has no counterpart here and is refused${instead === undefined ? '.' : `: ${instead}`}`);
  }
}
