import { generateKeyPairSync } from 'node:crypto';
import { SecretBox } from '#platform/secrets';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';

export interface AcmeAccount {
  /** Private key in PEM. */
  readonly key: string;
  /** Null until the authority has made the account. */
  readonly url: string | null;
}

const contextOf = (directory: string): string => `account at ${directory}`;

/** One account of this installation at each directory, so that all processes have the same. */
@Injectable()
export class AcmeAccounts {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /** Two processes that need it at once agree on the first one. */
  async at(directory: string): Promise<AcmeAccount> {
    const known = await this.find(directory);
    if (known !== undefined) return known;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.database.execute({
      text: 'INSERT INTO acme_accounts (directory, sealed_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [directory, this.box.seal(key, contextOf(directory))],
    });
    return (await this.find(directory)) as AcmeAccount;
  }

  /** Null: the authority knows the account no longer. */
  async keepUrl(directory: string, url: string | null): Promise<void> {
    await this.database.execute({
      text: 'UPDATE acme_accounts SET url = $2 WHERE directory = $1',
      values: [directory, url],
    });
  }

  async reseal(): Promise<void> {
    const rows = await this.database.query<{ directory: string; sealed: Buffer }>({
      text: 'SELECT directory, sealed_key AS sealed FROM acme_accounts',
    });
    for (const { directory, sealed } of rows) {
      if (this.box.isCurrent(sealed)) continue;
      const key = this.box.open(sealed, contextOf(directory));
      await this.database.execute({
        text: 'UPDATE acme_accounts SET sealed_key = $3 WHERE directory = $1 AND sealed_key = $2',
        values: [directory, sealed, this.box.seal(key, contextOf(directory))],
      });
    }
  }

  private async find(directory: string): Promise<AcmeAccount | undefined> {
    const [row] = await this.database.query<{ sealed: Buffer; url: string | null }>({
      text: 'SELECT sealed_key AS sealed, url FROM acme_accounts WHERE directory = $1',
      values: [directory],
    });
    return row && { key: this.box.open(row.sealed, contextOf(directory)), url: row.url };
  }
}
