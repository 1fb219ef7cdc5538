import { Notice, Notices, Page, Transaction } from '#kernel';
import { AnnounceChange } from '../../../libs/reputation/src/application/announce-change.js';
import {
  GuardedDomains,
  GuardedOutcomes,
  GuardStates,
  PairToLookAt,
} from '../../../libs/reputation/src/application/ports/reputation-guard.port.js';
import { LookedAt } from '../../../libs/reputation/src/domain/cause.js';
import { EvidenceStart, OutcomeHour } from '../../../libs/reputation/src/domain/evidence.js';
import { GuardChange, GuardedPair, GuardState, ReplyExample } from '../../../libs/reputation/src/domain/guard-state.js';
import { RecordedTeamEvents } from './recorded-team-events.js';

const keyOf = ({ domainId, provider }: { domainId: string; provider: string }): string => `${domainId} ${provider}`;

class InMemoryGuardStates extends GuardStates {
  readonly pending: GuardedPair[] = [];
  readonly kept = new Map<string, { readonly state: GuardState; lookAt: Date }>();
  readonly history: GuardChange[] = [];

  async touch(pairs: readonly GuardedPair[]): Promise<void> {
    this.pending.push(...pairs);
  }

  async next(now: Date): Promise<PairToLookAt | undefined> {
    const pair = this.pending.shift();
    if (pair !== undefined) return { pair, state: this.kept.get(keyOf(pair))?.state };
    const due = [...this.kept.values()].find(
      ({ state, lookAt }) => (state.step !== 'none' || !state.isSettled) && lookAt <= now,
    );
    return due && { pair: due.state, state: due.state };
  }

  async lock(domainId: string, provider: string): Promise<GuardState | undefined> {
    return this.kept.get(keyOf({ domainId, provider }))?.state;
  }

  async postpone(pair: GuardedPair, lookAt: Date): Promise<void> {
    const kept = this.kept.get(keyOf(pair));
    if (kept !== undefined) kept.lookAt = lookAt;
  }

  async settle(pair: GuardedPair, start: EvidenceStart, lookAt: Date): Promise<void> {
    const kept = this.kept.get(keyOf(pair));
    if (kept !== undefined) this.kept.set(keyOf(pair), { state: { ...kept.state, start, isSettled: true }, lookAt });
  }

  async save(state: GuardState, change: GuardChange, lookAt: Date): Promise<void> {
    this.kept.set(keyOf(state), { state, lookAt });
    this.history.unshift(change);
  }

  async ofDomain(domainId: string): Promise<readonly GuardState[]> {
    return [...this.kept.values()].flatMap(({ state }) => (state.domainId === domainId ? [state] : []));
  }

  async active(): Promise<readonly (GuardState & { readonly domain: string; readonly team: string })[]> {
    return [...this.kept.values()].map(({ state }) => ({ ...state, domain: 'acme.test', team: 'Acme' }));
  }

  async changes(): Promise<Page<GuardChange>> {
    return { items: this.history, hasMore: false };
  }
}

class GivenGuardedOutcomes extends GuardedOutcomes {
  given: readonly OutcomeHour[] = [];
  common: LookedAt = { bad: 0, all: 0, suspects: [] };
  refusals: readonly ReplyExample[] = [];

  async hours(_pair: GuardedPair, since: Date): Promise<readonly OutcomeHour[]> {
    return this.given.filter(({ hour }) => hour.getTime() > since.getTime() - 3_600_000);
  }

  async replies(): Promise<readonly ReplyExample[]> {
    return this.refusals;
  }

  async lookedAt(): Promise<LookedAt> {
    return this.common;
  }
}

class AcmeDomain extends GuardedDomains {
  async nameOf(): Promise<string> {
    return 'acme.test';
  }

  async addressesOf(): Promise<readonly string[]> {
    return ['owner@acme.test'];
  }
}

class RecordedNotices extends Notices {
  readonly operator = 'operator@ops.test';
  readonly sender = undefined;
  readonly sent = new Map<string, Notice>();

  async announce(notice: Notice, _transaction?: Transaction): Promise<void> {
    if (!this.sent.has(notice.key)) this.sent.set(notice.key, notice);
  }
}

/** What the guard knows, writes and tells, in memory. */
export class InMemoryGuards {
  readonly states = new InMemoryGuardStates();
  readonly outcomes = new GivenGuardedOutcomes();
  readonly events = new RecordedTeamEvents();
  readonly notices = new RecordedNotices();
  readonly announcements = new AnnounceChange(new AcmeDomain(), this.events, this.notices);
}
