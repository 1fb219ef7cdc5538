import { ReadDomains } from '#domains';
import type { Domain } from '#domains';
import type { Principal } from '#identity';
import { found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { GuardSettings } from '../domain/guard-limits.js';
import { GuardChange, GuardState } from '../domain/guard-state.js';
import { GuardRules, GuardStates } from './ports/reputation-guard.port.js';

/** Steps of all teams that the operator is shown, the furthest ones. */
const maxShown = 100;

/** At which steps the guard holds the mail of a domain, and how it came there. */
@Injectable()
export class ReadGuard {
  constructor(
    private readonly domains: ReadDomains,
    private readonly states: GuardStates,
    private readonly rules: GuardRules,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async of(
    teamId: string,
    domainId: string,
  ): Promise<{ readonly domain: Domain; readonly settings: GuardSettings; readonly states: readonly GuardState[] }> {
    const { domain } = found('Domain', await this.domains.find(teamId, domainId));
    return { domain, settings: this.rules.settings, states: await this.states.ofDomain(domain.id) };
  }

  /** Newest first. Throws NotFoundError if the team has no such domain. */
  async changes(teamId: string, domainId: string, page: PageRequest): Promise<Page<GuardChange>> {
    const { domain } = found('Domain', await this.domains.find(teamId, domainId));
    return this.states.changes(domain.id, page);
  }

  /** Of all teams, for the operator. */
  async active(principal: Principal): Promise<{
    readonly mode: GuardSettings['mode'];
    readonly states: readonly (GuardState & { readonly domain: string; readonly team: string })[];
  }> {
    principal.require('installation:read');
    return { mode: this.rules.settings.mode, states: await this.states.active(maxShown) };
  }
}
