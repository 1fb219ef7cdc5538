import { IdempotentRequest } from '#idempotency';
import { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { EmailAcceptance } from '../ports/email-acceptance.port.js';
import { AuthorizeSender } from './authorize-sender.js';
import { ClaimKeys } from './claim-keys.js';
import { QuotaCheck } from './quota-check.js';

/** Emails that are ready to be accepted together, and the response that names them. */
export interface Prepared<Response> {
  readonly emails: readonly AcceptedEmail[];
  readonly response: Response;
}

/**
 * Accepts emails. Every way of sending uses it. The steps: check that there is room, prepare (authorize the sender,
 * resolve the content), check the quota, and then, in one transaction, screen the recipients, claim the idempotency key
 * and commit.
 */
@Injectable()
export class AcceptOnce {
  constructor(
    private readonly sender: AuthorizeSender,
    private readonly quota: QuotaCheck,
    private readonly keys: ClaimKeys,
    private readonly acceptance: EmailAcceptance,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the emails are durable. A repetition gets the response of the first request. A refusal changes
   * nothing. `prepare` throws the refusals that are known before the transaction.
   */
  async execute<Response>(
    principal: Principal,
    idempotent: IdempotentRequest | undefined,
    prepare: () => Promise<Prepared<Response>>,
  ): Promise<Response> {
    const claimedAt = this.clock.now();
    let prepared: Prepared<Response>;
    try {
      this.sender.requireRoom(principal);
      prepared = await prepare();
    } catch (refusal) {
      return (await this.keys.responseInsteadOf(refusal, idempotent, claimedAt)) as Response;
    }
    const { emails, response } = prepared;
    const claim = idempotent === undefined ? undefined : { request: idempotent, response, claimedAt };
    // A repetition does not count towards a quota, and only the transaction can tell it from a first request.
    if (claim === undefined) this.quota.refuse(emails);
    const isLikelyRefused = claim !== undefined && this.quota.isBeyond(emails);
    const acceptance = await this.acceptance.accept({ emails, claim, isLikelyRefused });
    return acceptance.kind === 'accepted' ? response : (acceptance.response as Response);
  }
}
