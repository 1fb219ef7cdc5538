import { TeamEvents } from '#events';
import { newId, Notices, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { nameOfProvider } from '../domain/guard-texts.js';
import { dayOfHour, hourOf, toldAfterDays } from '../domain/warm-up.js';
import { lastDayText } from '../domain/warm-up-texts.js';
import { GuardedDomains } from './ports/reputation-guard.port.js';
import { SlowedAgain, ToldWarmUp } from './ports/warm-ups.port.js';

interface News {
  readonly change: 'slowed' | 'ended';
  readonly provider: string | null;
  readonly reason: string;
}

/** Tells how a warm-up goes: an event for webhooks, and mail to those who answer for the team. */
@Injectable()
export class AnnounceWarmUp {
  constructor(
    private readonly domains: GuardedDomains,
    private readonly events: TeamEvents,
    private readonly notices: Notices,
  ) {}

  /** Within the transaction in which the days were counted. */
  slowedAgain({ day, provider, ...of }: SlowedAgain, now: Date, transaction: Transaction): Promise<void> {
    return this.tell(of, { change: 'slowed', provider, reason: lastDayText(day) }, now, transaction);
  }

  /** Within the transaction of the end. */
  ended(of: ToldWarmUp, now: Date, transaction: Transaction): Promise<void> {
    const reason =
      'The schedule is over for a provider, and no other provider gets so much mail that it needs a limit.';
    return this.tell(of, { change: 'ended', provider: null, reason }, now, transaction);
  }

  private async tell(
    { domainId, teamId }: ToldWarmUp,
    news: News,
    createdAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    const domain = await this.domains.nameOf(domainId, transaction);
    if (domain === undefined) return;
    const { change } = news;
    const data = { id: domainId, name: domain, ...news, created_at: createdAt.toISOString() };
    const event = { id: newId(createdAt.getTime()), teamId, type: 'domain.warm_up_changed' as const, createdAt, data };
    await this.events.append([event], transaction);
    const subject = `The warm-up of ${domain} ${change === 'slowed' ? 'is slowed' : 'has ended'}`;
    const text = noticeText(domain, news);
    // One mail for a domain in a day: a bad list is bad at every provider.
    const day = dayOfHour(hourOf(createdAt));
    for (const to of await this.domains.addressesOf(teamId, transaction)) {
      const key = `warm-up ${change} ${domainId} ${day} ${to}`;
      await this.notices.announce({ key, subject, text, to, owner: teamId }, transaction);
    }
  }
}

function noticeText(domain: string, { provider, reason }: News): string {
  const paragraphs =
    provider === null
      ? [`From now on mail of ${domain} goes without a limit.`, reason]
      : [
          `The warm-up of ${domain} to ${nameOfProvider(provider)} was slowed on ${toldAfterDays} days running.`,
          reason,
          'Send to people who asked for the mail and open it, and leave out old addresses, until fewer messages are refused.',
          'The insights of the domain in the dashboard have the replies of the hosts, and other providers.',
        ];
  return `${paragraphs.join('\n\n')}\n`;
}
