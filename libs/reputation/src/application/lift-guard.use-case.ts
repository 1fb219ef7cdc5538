import { ReadDomains } from '#domains';
import type { Principal } from '#identity';
import { Clock, DomainError, found, newId, NotFoundError, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { countsBefore } from '../domain/evidence.js';
import { settleMs } from '../domain/guard-decision.js';
import { GuardState } from '../domain/guard-state.js';
import { AnnounceChange } from './announce-change.js';
import { GuardedOutcomes, GuardStates } from './ports/reputation-guard.port.js';

export class GuardLockedError extends DomainError {
  constructor() {
    super(
      'conflict',
      'resource_locked',
      'The evidence came back within a day after this step had been lifted. Only the operator of the service can lift it now.',
    );
  }
}

/** A person lifts a step of the guard: mail goes as usual, and what was counted before is forgiven. */
@Injectable()
export class LiftGuard {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: ReadDomains,
    private readonly states: GuardStates,
    private readonly outcomes: GuardedOutcomes,
    private readonly announcements: AnnounceChange,
    private readonly clock: Clock,
  ) {}

  /** For a member of the team. Throws GuardLockedError, or NotFoundError if there is no such domain or no step. */
  async lift(principal: Principal, domainId: string, provider: string): Promise<void> {
    found('Domain', await this.domains.find(principal.teamId, domainId));
    await this.liftAny(principal, domainId, provider, ({ isLocked }) => {
      if (isLocked) throw new GuardLockedError();
    });
  }

  /** For the operator, of any team. */
  async liftAsOperator(principal: Principal, domainId: string, provider: string): Promise<void> {
    principal.require('installation:write');
    await this.liftAny(principal, domainId, provider, () => undefined);
  }

  private async liftAny(
    principal: Principal,
    domainId: string,
    provider: string,
    check: (state: GuardState) => void,
  ): Promise<void> {
    await this.unitOfWork.run(async (transaction) => {
      const state = await this.states.lock(domainId, provider, transaction);
      if (state === undefined || state.step === 'none') throw new NotFoundError('Step of the guard');
      check(state);
      const now = this.clock.now();
      const hours = await this.outcomes.hours(state, new Date(now.getTime() - 3_600_000), transaction);
      const lifted: GuardState = {
        ...state,
        step: 'none',
        since: now,
        start: { from: now, before: countsBefore(hours, now) },
        isSettled: false,
        evidence: undefined,
        liftedAt: now,
        isLocked: false,
      };
      const change = {
        teamId: state.teamId,
        domainId,
        provider,
        id: newId(now.getTime()),
        from: state.step,
        to: lifted.step,
        because: 'lifted' as const,
        evidence: undefined,
        actor: principal.actor,
        createdAt: now,
      };
      await this.states.save(lifted, change, new Date(now.getTime() + settleMs), transaction);
      await this.announcements.announce(lifted, change, transaction);
    });
  }
}
