import { BadOutcomes } from '#insights';
import type { RefusedSender, TroubledPair } from '#insights';
import { Clock, Notices, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { GuardedDomains, GuardStates } from './ports/reputation-guard.port.js';

const dayMs = 24 * 3_600_000;

/** Notes down whose mail had bad outcomes, for the guard to look at, and tells teams whose senders are refused. */
@Injectable()
export class TroubledPairs extends BadOutcomes {
  constructor(
    private readonly states: GuardStates,
    private readonly domains: GuardedDomains,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {
    super();
  }

  touched(pairs: readonly TroubledPair[], transaction: Transaction): Promise<void> {
    return this.states.touch(pairs, transaction);
  }

  /** One mail for a domain in a day: a fault of its records is a fault at every host. */
  async senderRefused(senders: readonly RefusedSender[], transaction: Transaction): Promise<void> {
    const day = Math.floor(this.clock.now().getTime() / dayMs);
    for (const { teamId, domainId, reply } of senders) {
      const domain = await this.domains.nameOf(domainId, transaction);
      if (domain === undefined) continue;
      const subject = `Mail hosts refuse the sender of ${domain}`;
      const text = noticeText(domain, reply);
      for (const to of await this.domains.addressesOf(teamId, transaction)) {
        const key = `refused-sender ${domainId} ${day} ${to}`;
        await this.notices.announce({ key, subject, text, to, owner: teamId }, transaction);
      }
    }
  }
}

function noticeText(domain: string, reply: string | null): string {
  const paragraphs = [
    `Mail hosts do not accept the sender's address of mail of ${domain}. Often they find no domain or no mailbox behind its return path.`,
    ...(reply === null ? [] : [`One of them said: ${reply}`]),
    'Check the records of the domain. Its recipients are not to blame, so none of them is suppressed.',
    'The insights of the domain in the dashboard have more.',
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
