import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  DomainRepository,
  maxMovedAtOnce,
  MovedDomain,
} from '../../../libs/domains/src/application/ports/domain-repository.port.js';
import {
  DkimKeyInfo,
  DkimKeyState,
  Domain,
  NewSigningKey,
  PublicKey,
  sendingRegion,
  SigningKey,
} from '../../../libs/domains/src/domain/domain.js';
import { DomainTakenError } from '../../../libs/domains/src/domain/domain-errors.js';

interface KeyRow {
  readonly id: string;
  readonly key: SigningKey;
  readonly state: DkimKeyState;
  readonly retiredAt: Date | null;
}

/** What a list holds if no page is asked for. */
const wholeList: PageRequest = { limit: 10_000 };

/** The domains of one process, for tests: nothing survives the process, and private keys are kept as they are. */
export class InMemoryDomainRepository extends DomainRepository {
  private readonly rows = new InMemoryRows<Domain>();
  private readonly keyRows = new InMemoryRows<KeyRow>();

  async insert(domain: Domain, keys: readonly NewSigningKey[], transaction: Transaction): Promise<void> {
    if ((await this.findOwned(domain.name)) !== undefined) throw new DomainTakenError(domain.name);
    this.rows.set(domain, transaction);
    await this.insertKeys(keys, transaction);
  }

  async findByName(teamId: string, name: string): Promise<Domain | undefined> {
    return this.rows.where((domain) => domain.teamId === teamId && domain.name === name)[0];
  }

  async findOwned(name: string): Promise<Domain | undefined> {
    return this.rows.where((domain) => domain.name === name)[0];
  }

  async countOf(teamId: string): Promise<number> {
    return this.rows.where((domain) => domain.teamId === teamId).length;
  }

  async findById(id: string): Promise<Domain | undefined> {
    return this.rows.get(id);
  }

  async read(id: string, teamId?: string): Promise<Domain | undefined> {
    const domain = this.rows.get(id);
    return teamId === undefined || domain?.teamId === teamId ? domain : undefined;
  }

  async list(teamId: string, page: PageRequest = wholeList): Promise<Page<Domain>> {
    return this.rows.page(page, (domain) => domain.teamId === teamId);
  }

  async listAll(after: string | undefined, limit: number): Promise<readonly Domain[]> {
    return this.rows.where(({ id }) => after === undefined || id > after).slice(0, limit);
  }

  async update(domain: Domain, transaction: Transaction): Promise<boolean> {
    const stored = this.rows.get(domain.id);
    if (stored?.version !== domain.version) return false;
    const { teamId, name, customReturnPath, dkimPublication, sandbox, createdAt } = stored;
    const fixed = { teamId, name, customReturnPath, dkimPublication, sandbox, createdAt };
    this.rows.set({ ...domain, ...fixed, version: stored.version + 1 }, transaction);
    return true;
  }

  async delete(id: string, teamId: string, transaction: Transaction): Promise<boolean> {
    if ((await this.read(id, teamId)) === undefined) return false;
    this.rows.delete(id, transaction);
    const keys = this.keysOf(id);
    await this.deleteKeys(
      keys.map((row) => row.id),
      transaction,
    );
    return true;
  }

  async takeDueChecks(now: Date, leaseUntil: Date, limit: number): Promise<readonly string[]> {
    const dueAt = ({ nextCheckAt }: Domain): number => nextCheckAt?.getTime() ?? Infinity;
    const due = this.rows.where((domain) => dueAt(domain) <= now.getTime()).sort((a, b) => dueAt(a) - dueAt(b));
    return due.slice(0, limit).map((domain) => {
      this.rows.set({ ...domain, nextCheckAt: leaseUntil });
      return domain.id;
    });
  }

  async standIn(region: string, standIn: string | null, now: Date): Promise<number> {
    const moved = this.rows
      .where((domain) => domain.region === region && domain.failover && domain.standIn !== standIn)
      .slice(0, maxMovedAtOnce);
    for (const domain of moved) this.rows.set({ ...domain, standIn, movedAt: now, version: domain.version + 1 });
    return moved.length;
  }

  async moved(limit: number, after?: MovedDomain): Promise<readonly MovedDomain[]> {
    const keyOf = ({ movedAt, id }: Pick<Domain, 'movedAt' | 'id'>): string => `${movedAt?.toISOString()} ${id}`;
    return this.rows
      .where((domain) => domain.movedAt !== null && (after === undefined || keyOf(domain) > keyOf(after)))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .slice(0, limit)
      .map((domain) => ({ ...domain, sendingRegion: sendingRegion(domain), movedAt: domain.movedAt as Date }));
  }

  async settled(domains: readonly MovedDomain[]): Promise<void> {
    for (const { id, movedAt } of domains) {
      const domain = this.rows.get(id);
      if (domain?.movedAt?.getTime() === movedAt.getTime()) this.rows.set({ ...domain, movedAt: null });
    }
  }

  async signingKeys(domainId: string): Promise<readonly SigningKey[]> {
    return this.keysOf(domainId).flatMap(({ state, key }) => (state === 'signing' ? [key] : []));
  }

  async keys(domainId: string): Promise<readonly DkimKeyInfo[]> {
    return this.keysOf(domainId).map(({ key, state, retiredAt }) => {
      const { id, selector, algorithm, publicKey, createdAt } = key;
      return { id, domainId, selector, algorithm, publicKey, state, retiredAt, createdAt };
    });
  }

  async findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined> {
    const domain = await this.findOwned(domainName);
    if (domain === undefined) return undefined;
    const row = this.keysOf(domain.id).find(({ key }) => key.selector === selector);
    return row && { algorithm: row.key.algorithm, publicKey: row.key.publicKey };
  }

  async insertKeys(keys: readonly NewSigningKey[], transaction: Transaction): Promise<void> {
    for (const { signing, ...key } of keys) {
      this.keyRows.set({ id: key.id, key, state: signing ? 'signing' : 'published', retiredAt: null }, transaction);
    }
  }

  async updateKeyStates(keys: readonly DkimKeyInfo[], transaction: Transaction): Promise<void> {
    for (const { id, state, retiredAt } of keys) {
      const row = this.keyRows.get(id);
      if (row !== undefined) this.keyRows.set({ ...row, state, retiredAt }, transaction);
    }
  }

  async deleteKeys(keyIds: readonly string[], transaction: Transaction): Promise<void> {
    for (const id of keyIds) this.keyRows.delete(id, transaction);
  }

  /** Nothing is sealed here. */
  async resealKeys(): Promise<number> {
    return 0;
  }

  private keysOf(domainId: string): KeyRow[] {
    return this.keyRows.where(({ key }) => key.domainId === domainId);
  }
}
