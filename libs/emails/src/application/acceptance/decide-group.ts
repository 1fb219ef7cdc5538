import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { AcceptanceRequest } from '../ports/email-acceptance.port.js';
import { ClaimKeys, Settled } from './claim-keys.js';
import { RecipientScreening } from './recipient-screening.js';

export interface GroupDecision {
  /** One result per request, in order. */
  readonly results: readonly Settled[];
  /** The emails of all accepted requests, screened, to be written in the same transaction. */
  readonly emails: readonly AcceptedEmail[];
}

/**
 * The decisions of acceptance that need the transaction: screens recipients and claims idempotency keys for all
 * requests that share the transaction, with one read for each step. The code that writes the emails calls it and
 * decides nothing itself.
 */
@Injectable()
export class DecideGroup {
  constructor(
    private readonly screening: RecipientScreening,
    private readonly keys: ClaimKeys,
  ) {}

  async execute(requests: readonly AcceptanceRequest[], transaction: Transaction): Promise<GroupDecision> {
    const [screened, results] = await Promise.all([
      this.screened(requests, transaction),
      this.keys.claim(requests, transaction),
    ]);
    return { results, emails: screened.flatMap((emails, index) => (isAccepted(results[index]) ? emails : [])) };
  }

  private async screened(
    requests: readonly AcceptanceRequest[],
    transaction: Transaction,
  ): Promise<readonly (readonly AcceptedEmail[])[]> {
    const all = requests.flatMap(({ emails }) => emails);
    const screened = await this.screening.screen(all, transaction);
    let start = 0;
    return requests.map(({ emails }) => screened.slice(start, (start += emails.length)));
  }
}

function isAccepted(result: Settled | undefined): boolean {
  return result !== undefined && 'value' in result && result.value.kind === 'accepted';
}
