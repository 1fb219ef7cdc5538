import { Transaction } from '#kernel';
import { ShortCache } from '#platform/caching';
import { Broadcast, DatabaseTransaction, statementsOf } from '#platform/database';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainRepository } from '../../application/ports/domain-repository.port.js';
import { DomainTakenError } from '../../domain/domain-errors.js';
import { PublicKey } from '../../domain/dkim-record.js';
import { Domain, SigningKey } from '../../domain/domain.js';
import { DkimKeyRow } from './dkim-key.row.js';
import { DomainRow } from './domain.row.js';

/** Says that domains or their keys changed; the payload is the domain's id. */
const domainsChanged = 'domains';
const cacheOptions = { ttlMs: 10_000, maximumSize: 10_000 };

@Injectable()
export class PostgresDomainRepository extends DomainRepository {
  private readonly domains = new ShortCache<Domain>(cacheOptions);
  private readonly keys = new ShortCache<readonly SigningKey[]>(cacheOptions);

  constructor(
    @InjectRepository(DomainRow) private readonly domainRows: Repository<DomainRow>,
    @InjectRepository(DkimKeyRow) private readonly keyRows: Repository<DkimKeyRow>,
    private readonly secrets: SecretBox,
    broadcast: Broadcast,
  ) {
    super();
    broadcast.on(domainsChanged, () => {
      this.domains.forget();
      this.keys.forget();
    });
  }

  async insert(domain: Domain, keys: readonly SigningKey[], transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const inserted = await statements.execute({
      text: `INSERT INTO domains (id, team_id, name, status, region, custom_return_path, sandbox, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING`,
      values: [
        domain.id,
        domain.teamId,
        domain.name,
        domain.status,
        domain.region,
        domain.customReturnPath,
        domain.sandbox,
        domain.createdAt,
      ],
    });
    if (inserted === 0) throw new DomainTakenError(domain.name);
    for (const key of keys) await this.insertKey(key, statements);
  }

  findByName(teamId: string, name: string): Promise<Domain | undefined> {
    return this.domains.get(
      `${teamId}:${name}`,
      async () => (await this.domainRows.findOneBy({ teamId, name })) ?? undefined,
    );
  }

  findOwned(name: string): Promise<Domain | undefined> {
    return this.domains.get(`:${name}`, async () => (await this.domainRows.findOneBy({ name })) ?? undefined);
  }

  findById(id: string): Promise<Domain | undefined> {
    return this.domains.get(id, async () => (await this.domainRows.findOneBy({ id })) ?? undefined);
  }

  countOf(teamId: string): Promise<number> {
    return this.domainRows.countBy({ teamId });
  }

  async signingKeys(domainId: string): Promise<readonly SigningKey[]> {
    const keys = await this.keys.get(domainId, async () => {
      const domain = await this.findById(domainId);
      if (domain === undefined) return undefined;
      const rows = await this.keyRows.findBy({ domainId, signing: true });
      return rows.map((row) => this.open(row, domain));
    });
    return keys ?? [];
  }

  async findPublicKey(domainName: string, selector: string): Promise<PublicKey | undefined> {
    const domain = await this.findOwned(domainName);
    if (domain === undefined) return undefined;
    return (
      (await this.keyRows.findOne({
        where: { domainId: domain.id, selector },
        select: { algorithm: true, publicKey: true },
      })) ?? undefined
    );
  }

  private async insertKey(key: SigningKey, statements: DatabaseTransaction): Promise<void> {
    await statements.execute({
      text: `INSERT INTO dkim_keys
               (id, domain_id, selector, algorithm, public_key, sealed_private_key, signing, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, true, $7)`,
      values: [
        key.id,
        key.domainId,
        key.selector,
        key.algorithm,
        key.publicKey,
        this.secrets.seal(key.privateKey, key.id),
        key.createdAt,
      ],
    });
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
