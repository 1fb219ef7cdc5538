import { TeamEvents } from '#events';
import { newId, Notices, Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Cause } from '../domain/cause.js';
import { GuardChange, GuardState } from '../domain/guard-state.js';
import { effectOf, nameOfProvider, reasonOf } from '../domain/guard-texts.js';
import { levelOf } from '../domain/guard-limits.js';
import { GuardedDomains } from './ports/reputation-guard.port.js';

const hourMs = 3_600_000;

/** Tells that the guard took a step: an event for webhooks and open pages, and mail to those who answer for the team. */
@Injectable()
export class AnnounceChange {
  constructor(
    private readonly domains: GuardedDomains,
    private readonly events: TeamEvents,
    private readonly notices: Notices,
  ) {}

  /** Within the transaction of the change. */
  async announce(state: GuardState, change: GuardChange, transaction: Transaction): Promise<void> {
    const domain = await this.domains.nameOf(change.domainId, transaction);
    if (domain === undefined) return;
    const { teamId, createdAt } = change;
    const event = { id: newId(createdAt.getTime()), teamId, type: 'domain.reputation_changed' as const, createdAt };
    await this.events.append([{ ...event, data: eventData(domain, state, change) }], transaction);
    if (change.because === 'lifted') return;
    const isWorse = levelOf(change.to) > levelOf(change.from);
    if (isWorse || change.to === 'none') await this.notify(domain, state, change, transaction);
  }

  /** One mail for a domain in an hour: a bad list is bad at every provider. */
  private async notify(
    domain: string,
    state: GuardState,
    change: GuardChange,
    transaction: Transaction,
  ): Promise<void> {
    const { domainId, teamId, createdAt } = change;
    const isWorse = levelOf(change.to) > levelOf(change.from);
    const hour = Math.floor(createdAt.getTime() / hourMs);
    const subject = isWorse ? `Mail of ${domain} is in trouble` : `Mail of ${domain} recovers`;
    const text = noticeText(domain, state, change);
    for (const to of await this.domains.addressesOf(teamId, transaction)) {
      const key = `reputation ${domainId} ${isWorse ? 'worse' : 'better'} ${hour} ${to}`;
      await this.notices.announce({ key, subject, text, to, owner: teamId }, transaction);
    }
    if (levelOf(change.to) < levelOf('bulk_paused')) return;
    const key = `reputation-operator ${domainId} ${Math.floor(hour / 24)}`;
    await this.notices.announce({ key, subject, text }, transaction);
  }
}

/** The `data` of the webhook (docs/wire-contract.md section 22.4). */
export function eventData(domain: string, { slowPace }: GuardState, change: GuardChange): object {
  const { evidence, from, to } = change;
  return {
    id: change.domainId,
    name: domain,
    provider: change.provider,
    direction: levelOf(to) > levelOf(from) ? 'worse' : 'better',
    step: to,
    previous_step: from,
    because: change.because,
    created_at: change.createdAt.toISOString(),
    effect: effectOf(to, domain, change.provider, slowPace),
    reason: reasonOf(evidence?.rates ?? []),
    rates: (evidence?.rates ?? []).map(({ id, count, of, percent, atLeast, limit }) => ({
      id,
      count,
      of,
      percent: rounded(percent),
      at_least_percent: rounded(atLeast),
      limit_percent: limit,
    })),
    replies: (evidence?.replies ?? []).map(({ category, count, reply, emailId }) => ({
      category,
      count,
      reply,
      email_id: emailId,
    })),
    cause: evidence?.cause === undefined ? null : causeData(evidence.cause),
  };
}

export function causeData({ kind, id, name, bad, all, percent, othersPercent }: Cause): object {
  return {
    type: kind,
    id,
    name,
    count: bad,
    of: all,
    percent: rounded(percent),
    others_percent: rounded(othersPercent),
  };
}

export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function noticeText(domain: string, { slowPace }: GuardState, change: GuardChange): string {
  const { evidence, provider, to, because } = change;
  const paragraphs = [effectOf(to, domain, provider, slowPace)];
  if (because === 'time') paragraphs.push('For a day there was too little mail to tell, so the step before is tried.');
  if (because === 'recovery') paragraphs.push(`What ${nameOfProvider(provider)} reports is good again.`);
  if (because === 'evidence') paragraphs.push(reasonOf(evidence?.rates ?? []));
  if (evidence?.cause !== undefined) paragraphs.push(causeText(evidence.cause));
  const [reply] = evidence?.replies ?? [];
  if (reply !== undefined) paragraphs.push(`A reply of its hosts: ${reply.reply}`);
  paragraphs.push('The insights of the domain in the dashboard have more, and other providers.');
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

const kinds: Readonly<Record<Cause['kind'], string>> = {
  broadcast: 'the broadcast',
  segment: 'the segment',
  template: 'the template',
  import: 'the import of contacts',
};

function causeText({ kind, name, bad, all, percent, othersPercent }: Cause): string {
  const digits = (value: number): string => String(Math.round(value * 10) / 10);
  return (
    `The likely cause is ${kinds[kind]} "${name}": ${bad} of ${all} of its messages (${digits(percent)}%), ` +
    `and ${digits(othersPercent)}% of all others.`
  );
}
