import { Page, PageRequest, Transaction, ValidationError, isUuid } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Broadcast, Database, DatabaseTransaction, statementsOf } from '#platform/database';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { FindOperator, LessThan, MoreThan, Repository } from 'typeorm';
import { DomainRepository } from '../../application/ports/domain-repository.port.js';
import { DomainTakenError } from '../../domain/domain-errors.js';
import { PublicKey } from '../../domain/dkim-record.js';
import { DkimKeyInfo, Domain, NewSigningKey, SigningKey } from '../../domain/domain.js';
import { insertKeyStatement, keyInfo, keyStateStatement } from './dkim-key-statements.js';
import { DkimKeyRow } from './dkim-key.row.js';
import { insertDomainStatement, takeDueStatement, updateDomainStatement } from './domain-statements.js';
import { DomainRow } from './domain.row.js';

/** Name of the broadcast that says that a domain or its keys changed. Its payload is the domain's id. */
export const domainsChanged = 'domains';
const cacheOptions = { ttlMs: 10_000, maxEntries: 10_000 };
const maxListed = 10_000;

@Injectable()
export class PostgresDomainRepository extends DomainRepository {
  private readonly domains = new ShortCache<Domain>(cacheOptions);
  /** Deliveries and arriving mail ask for any name: names that no team owns are kept as well, apart from the others. */
  private readonly owned = new ShortCache<{ readonly domain: Domain | undefined }>(cacheOptions);
  private readonly signing = new ShortCache<readonly SigningKey[]>(cacheOptions);

  constructor(
    @InjectRepository(DomainRow) private readonly domainRows: Repository<DomainRow>,
    @InjectRepository(DkimKeyRow) private readonly keyRows: Repository<DkimKeyRow>,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly broadcast: Broadcast,
  ) {
    super();
    broadcast.on(domainsChanged, () => {
      this.domains.forget();
      this.owned.forget();
      this.signing.forget();
    });
  }

  async insert(domain: Domain, keys: readonly NewSigningKey[], transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const inserted = await statements.execute(insertDomainStatement(domain));
    if (inserted === 0) throw new DomainTakenError(domain.name);
    await this.insertKeys(keys, transaction);
    await this.broadcastChange(domain.id, statements);
  }

  findByName(teamId: string, name: string): Promise<Domain | undefined> {
    return this.domains.get(
      `${teamId}:${name}`,
      async () =>
        (await this.database.readWithOrm(this.domainRows, (rows) => rows.findOneBy({ teamId, name }))) ?? undefined,
    );
  }

  async findOwned(name: string): Promise<Domain | undefined> {
    const known = await this.owned.get(name, async () => ({
      domain: (await this.database.readWithOrm(this.domainRows, (rows) => rows.findOneBy({ name }))) ?? undefined,
    }));
    return known?.domain;
  }

  findById(id: string): Promise<Domain | undefined> {
    return this.domains.get(id, () => this.read(id));
  }

  async read(id: string, teamId?: string): Promise<Domain | undefined> {
    const where = teamId === undefined ? { id } : { id, teamId };
    return (await this.database.readWithOrm(this.domainRows, (rows) => rows.findOneBy(where))) ?? undefined;
  }

  async list(teamId: string, page?: PageRequest): Promise<Page<Domain>> {
    const backwards = page?.before !== undefined;
    const limit = page?.limit ?? maxListed;
    const where = { teamId, ...cursorCondition(page) };
    const rows = await this.database.readWithOrm(this.domainRows, (rows) =>
      rows.find({ where, order: { id: backwards ? 'ASC' : 'DESC' }, take: limit + 1 }),
    );
    const items = rows.slice(0, limit);
    return { items: backwards ? items.reverse() : items, hasMore: rows.length > limit };
  }

  async listAll(after: string | undefined, limit: number): Promise<readonly Domain[]> {
    const where = after === undefined ? {} : { id: MoreThan(after) };
    return this.database.readWithOrm(this.domainRows, (rows) =>
      rows.find({ where, order: { id: 'ASC' }, take: limit }),
    );
  }

  async update(domain: Domain, transaction: Transaction): Promise<boolean> {
    const statements = statementsOf(transaction);
    if ((await statements.execute(updateDomainStatement(domain))) === 0) return false;
    await this.broadcastChange(domain.id, statements);
    return true;
  }

  async delete(id: string, teamId: string, transaction: Transaction): Promise<boolean> {
    const statements = statementsOf(transaction);
    const deleted = await statements.execute({
      text: 'DELETE FROM domains WHERE id = $1 AND team_id = $2',
      values: [id, teamId],
    });
    if (deleted > 0) await this.broadcastChange(id, statements);
    return deleted > 0;
  }

  async takeDueChecks(now: Date, leaseUntil: Date, limit: number): Promise<readonly string[]> {
    return (await this.database.query<{ id: string }>(takeDueStatement(now, leaseUntil, limit))).map(({ id }) => id);
  }

  countOf(teamId: string): Promise<number> {
    return this.database.readWithOrm(this.domainRows, (rows) => rows.countBy({ teamId }));
  }

  async signingKeys(domainId: string): Promise<readonly SigningKey[]> {
    const keys = await this.signing.get(domainId, async () => {
      const domain = await this.findById(domainId);
      if (domain === undefined) return undefined;
      const where = { domainId, signing: true };
      const rows = await this.database.readWithOrm(this.keyRows, (rows) => rows.find({ where, order: { id: 'ASC' } }));
      return rows.map((row) => this.open(row, domain));
    });
    return keys ?? [];
  }

  async keys(domainId: string): Promise<readonly DkimKeyInfo[]> {
    const rows = await this.database.readWithOrm(this.keyRows, (rows) =>
      rows.find({ where: { domainId }, order: { id: 'ASC' } }),
    );
    return rows.map(keyInfo);
  }

  async findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined> {
    const domain = await this.findOwned(domainName);
    if (domain === undefined) return undefined;
    const where = { domainId: domain.id, selector };
    const select = { algorithm: true, publicKey: true } as const;
    return (await this.database.readWithOrm(this.keyRows, (rows) => rows.findOne({ where, select }))) ?? undefined;
  }

  async insertKeys(keys: readonly NewSigningKey[], transaction: Transaction): Promise<void> {
    for (const key of keys) {
      const sealed = this.secrets.seal(key.privateKey, key.id);
      await statementsOf(transaction).execute(insertKeyStatement(key, sealed));
    }
  }

  async updateKeyStates(keys: readonly DkimKeyInfo[], transaction: Transaction): Promise<void> {
    for (const key of keys) await statementsOf(transaction).execute(keyStateStatement(key));
  }

  async deleteKeys(keyIds: readonly string[], transaction: Transaction): Promise<void> {
    if (keyIds.length === 0) return;
    await statementsOf(transaction).execute({
      text: 'DELETE FROM dkim_keys WHERE id = ANY ($1::uuid[])',
      values: [keyIds],
    });
  }

  async resealKeys(): Promise<number> {
    const select = { id: true, sealedPrivateKey: true } as const;
    const rows = await this.database.readWithOrm(this.keyRows, (rows) => rows.find({ select }));
    const outdated = rows.filter((row) => !this.secrets.isCurrent(row.sealedPrivateKey));
    for (const { id, sealedPrivateKey } of outdated) {
      const sealed = this.secrets.seal(this.secrets.open(sealedPrivateKey, id), id);
      await this.database.execute({
        text: 'UPDATE dkim_keys SET sealed_private_key = $2 WHERE id = $1 AND sealed_private_key = $3',
        values: [id, sealed, sealedPrivateKey],
      });
    }
    return outdated.length;
  }

  /** Makes every process clear its caches as soon as the change is committed. */
  private broadcastChange(domainId: string, transaction: DatabaseTransaction): Promise<void> {
    return this.broadcast.send(domainsChanged, domainId, transaction);
  }

  private open(row: DkimKeyRow, domain: Domain): SigningKey {
    return {
      id: row.id,
      domainId: row.domainId,
      domainName: domain.name,
      selector: row.selector,
      algorithm: row.algorithm,
      publicKey: row.publicKey,
      privateKey: this.secrets.open(row.sealedPrivateKey, row.id),
      createdAt: row.createdAt,
    };
  }
}

function cursorCondition(page: PageRequest | undefined): { id?: FindOperator<string> } {
  const cursor = page?.after ?? page?.before;
  if (page === undefined || cursor === undefined) return {};
  if (!isUuid(cursor)) throw new ValidationError('The cursor must be the id of a domain.');
  return { id: page.after !== undefined ? LessThan(cursor) : MoreThan(cursor) };
}
