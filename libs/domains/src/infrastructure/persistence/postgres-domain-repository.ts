import { isUuid, Page, pageOf, PageRequest, Transaction, ValidationError, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { ShortCache } from '#platform/caching';
import {
  Database,
  DatabaseTransaction,
  keysetCondition,
  ProcessNotifications,
  Row,
  statementsOf,
} from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { DomainRepository, MovedDomain } from '../../application/ports/domain-repository.port.js';
import { DomainTakenError } from '../../domain/domain-errors.js';
import { DkimKeyInfo, Domain, NewSigningKey, PublicKey, SigningKey } from '../../domain/domain.js';
import {
  domainColumns,
  insertDomainStatement,
  insertKeyStatement,
  keyColumns,
  keyStateStatement,
  maxChecksOfTeam,
  SealedKeyRow,
  standInStatement,
  takeDueDomains,
  updateDomainStatement,
} from './domain-statements.js';

/** Name of the broadcast that says that a domain or its keys changed. Its payload is the domain's id. */
export const domainsChanged = 'domains';
const cacheOptions = { ttlMs: 10_000, maxEntries: 10_000 };
/** A list without a page. */
const wholeList: PageRequest = { limit: 10_000 };

@Injectable()
export class PostgresDomainRepository extends DomainRepository {
  private readonly domains = new ShortCache<Domain>(cacheOptions);
  /** Deliveries and arriving mail ask for any name: names that no team owns are kept as well, apart from the others. */
  private readonly owned = new ShortCache<{ readonly domain: Domain | undefined }>(cacheOptions);
  private readonly signing = new ShortCache<readonly SigningKey[]>(cacheOptions);

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly broadcast: ProcessNotifications,
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

  findByName(teamId: string, name: string): MaybePromise<Domain | undefined> {
    return this.domains.get(`${teamId}:${name}`, () => this.first('team_id = $1 AND name = $2', teamId, name));
  }

  findOwned(name: string): MaybePromise<Domain | undefined> {
    const known = this.owned.get(name, async () => ({ domain: await this.first('name = $1', name) }));
    return whenKnown(known, (found) => found?.domain);
  }

  findById(id: string): MaybePromise<Domain | undefined> {
    return this.domains.get(id, () => this.read(id));
  }

  read(id: string, teamId?: string): Promise<Domain | undefined> {
    return teamId === undefined ? this.first('id = $1', id) : this.first('id = $1 AND team_id = $2', id, teamId);
  }

  async list(teamId: string, page: PageRequest = wholeList): Promise<Page<Domain>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of a domain.');
    const { condition, order, values } = keysetCondition(page, 2);
    const domains = await this.database.query<Row<Domain>>({
      text: `SELECT ${domainColumns} FROM domains WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, domains);
  }

  async listAll(after: string | undefined, limit: number): Promise<readonly Domain[]> {
    return this.database.query<Row<Domain>>({
      text: `SELECT ${domainColumns} FROM domains WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`,
      values: [after ?? null, limit],
    });
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

  async takeDueChecks(
    now: Date,
    leaseUntil: Date,
    limit: number,
    held?: readonly string[],
  ): Promise<readonly string[]> {
    const statement = takeDueDomains({ now, leaseUntil, limit, held, maxOfTeam: maxChecksOfTeam });
    return (await this.database.query<{ id: string }>(statement)).map(({ id }) => id);
  }

  async standIn(region: string, standIn: string | null, now: Date): Promise<number> {
    const moved = await this.database.execute(standInStatement(region, standIn, now));
    if (moved > 0) await this.broadcast.send(domainsChanged, region);
    return moved;
  }

  moved(limit: number, after?: MovedDomain): Promise<readonly MovedDomain[]> {
    return this.database.query<Row<MovedDomain>>({
      name: 'moved-domains',
      text: `SELECT id, team_id AS "teamId", coalesce(stand_in, region) AS "sendingRegion", moved_at AS "movedAt"
             FROM domains WHERE moved_at IS NOT NULL AND ($2::timestamptz IS NULL OR (moved_at, id) > ($2, $3::uuid))
             ORDER BY moved_at, id LIMIT $1`,
      values: [limit, after?.movedAt ?? null, after?.id ?? null],
    });
  }

  async settled(domains: readonly MovedDomain[]): Promise<void> {
    await this.database.execute({
      text: `UPDATE domains d SET moved_at = NULL
             FROM unnest($1::uuid[], $2::timestamptz[]) AS settled (id, moved_at)
             WHERE d.id = settled.id AND d.moved_at = settled.moved_at`,
      values: [domains.map(({ id }) => id), domains.map(({ movedAt }) => movedAt)],
    });
  }

  async countOf(teamId: string): Promise<number> {
    const [counted] = await this.database.query<{ domains: number }>({
      text: 'SELECT count(*)::int AS domains FROM domains WHERE team_id = $1',
      values: [teamId],
    });
    return counted?.domains ?? 0;
  }

  signingKeys(domainId: string): MaybePromise<readonly SigningKey[]> {
    const keys = this.signing.get(domainId, async () => {
      const domain = await this.findById(domainId);
      if (domain === undefined) return undefined;
      const rows = await this.database.query<SealedKeyRow>({
        text: `SELECT ${keyColumns}, sealed_private_key AS "sealedPrivateKey"
               FROM dkim_keys WHERE domain_id = $1 AND signing ORDER BY id`,
        values: [domainId],
      });
      return rows.map((row) => this.open(row, domain));
    });
    return whenKnown(keys, (known) => known ?? []);
  }

  async keys(domainId: string): Promise<readonly DkimKeyInfo[]> {
    return this.database.query<Row<DkimKeyInfo>>({
      text: `SELECT ${keyColumns} FROM dkim_keys WHERE domain_id = $1 ORDER BY id`,
      values: [domainId],
    });
  }

  async findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined> {
    const domain = await this.findOwned(domainName);
    if (domain === undefined) return undefined;
    const [key] = await this.database.query<Row<PublicKey>>({
      text: 'SELECT algorithm, public_key AS "publicKey" FROM dkim_keys WHERE domain_id = $1 AND selector = $2',
      values: [domain.id, selector],
    });
    return key;
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
    const rows = await this.database.query<{ id: string; sealedPrivateKey: Buffer }>({
      text: 'SELECT id, sealed_private_key AS "sealedPrivateKey" FROM dkim_keys',
    });
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

  private async first(condition: string, ...values: readonly string[]): Promise<Domain | undefined> {
    const [domain] = await this.database.query<Row<Domain>>({
      text: `SELECT ${domainColumns} FROM domains WHERE ${condition}`,
      values: [...values],
    });
    return domain;
  }

  /** Makes every process clear its caches as soon as the change is committed. */
  private broadcastChange(domainId: string, transaction: DatabaseTransaction): Promise<void> {
    return this.broadcast.send(domainsChanged, domainId, transaction);
  }

  private open(row: SealedKeyRow, domain: Domain): SigningKey {
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
