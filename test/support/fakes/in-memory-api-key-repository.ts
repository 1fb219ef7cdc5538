import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { inMemory } from './in-memory-unit-of-work.js';
import { ApiKeyRepository } from '../../../libs/identity/src/application/ports/teams-and-api-keys.port.js';
import { ApiKey, ApiKeyChanges } from '../../../libs/identity/src/domain/api-key.js';
import type { GrantInForce } from '../../../libs/identity/src/domain/principal.js';

/** Keeps API keys in memory, for tests. */
export class InMemoryApiKeyRepository extends ApiKeyRepository {
  /** The grants in force. */
  readonly grants = new Map<string, GrantInForce>();
  private readonly keys = new Map<string, ApiKey>();

  async insert(apiKey: ApiKey, transaction: Transaction): Promise<void> {
    this.keys.set(apiKey.id, apiKey);
    inMemory(transaction).onRollback(() => this.keys.delete(apiKey.id));
  }

  async findByTokenHash(tokenHash: Buffer): Promise<ApiKey | undefined> {
    return [...this.keys.values()].find((key) => key.tokenHash.equals(tokenHash));
  }

  async findById(id: string): Promise<ApiKey | undefined> {
    return this.keys.get(id);
  }

  async findGrant(grantId: string): Promise<GrantInForce | undefined> {
    return this.grants.get(grantId);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<ApiKey>> {
    const { after, before, limit } = page;
    const keys = this.ofTeam(teamId).sort((a, b) => (a.id < b.id ? 1 : -1));
    if (before !== undefined) {
      const newer = keys.filter(({ id }) => id > before).reverse();
      return pageOf(page, newer.slice(0, limit + 1));
    }
    return pageOf(page, keys.filter(({ id }) => after === undefined || id < after).slice(0, limit + 1));
  }

  async find(teamId: string, id: string): Promise<ApiKey | undefined> {
    return this.ofTeam(teamId).find((candidate) => candidate.id === id);
  }

  async change(teamId: string, id: string, changes: ApiKeyChanges): Promise<'changed' | 'unknown' | 'last'> {
    const key = await this.find(teamId, id);
    if (key === undefined) return 'unknown';
    if (changes.onlyDrafts === true && this.isLast(teamId, id)) return 'last';
    this.keys.set(id, { ...key, ...changes });
    return 'changed';
  }

  async delete(teamId: string, id: string): Promise<'deleted' | 'unknown' | 'last'> {
    if (this.isLast(teamId, id)) return 'last';
    return this.ofTeam(teamId).some((key) => key.id === id) && this.keys.delete(id) ? 'deleted' : 'unknown';
  }

  async recordUse(lastUses: ReadonlyMap<string, Date>): Promise<void> {
    for (const [id, at] of lastUses) {
      const key = this.keys.get(id);
      if (key !== undefined && (key.lastUsedAt === null || key.lastUsedAt < at)) {
        this.keys.set(id, { ...key, lastUsedAt: at });
      }
    }
  }

  private isLast(teamId: string, id: string): boolean {
    const full = this.ofTeam(teamId).filter(
      ({ permission, onlyDrafts, grantId }) => permission === 'full_access' && !onlyDrafts && grantId === null,
    );
    return full.length === 1 && full[0]?.id === id;
  }

  private ofTeam(teamId: string): ApiKey[] {
    return [...this.keys.values()].filter((key) => key.teamId === teamId);
  }
}
