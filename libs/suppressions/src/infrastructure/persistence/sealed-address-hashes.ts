import { Cells } from '#cells';
import { DomainError } from '#kernel';
import { createHmac, createSecretKey, KeyObject, randomBytes } from 'node:crypto';
import { Database } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { AddressHashes } from '../../application/ports/suppression-repository.port.js';
import { concealedPrefix } from '../../domain/suppression.js';

const context = 'suppression hash key';

/**
 * HMAC-SHA256 with a random key in the database. A key derived from SECRET_KEY would be lost when that changes, and
 * with it all hashed suppressions. The key is sealed, and sealed again with a new SECRET_KEY at its first use.
 */
@Injectable()
export class SealedAddressHashes extends AddressHashes implements OnApplicationBootstrap {
  private key: Promise<KeyObject> | undefined;

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly cells: Cells,
  ) {
    super();
  }

  /** So that no transaction waits for a second connection. Where the database is away, the next use loads the key. */
  async onApplicationBootstrap(): Promise<void> {
    await this.hasher().catch(() => undefined);
  }

  async hasher(): Promise<(teamId: string, email: string) => string> {
    this.key ??= this.load();
    const key = await this.key.catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return (teamId, email) => {
      const hash = createHmac('sha256', key).update(`${teamId}\n${email}`).digest('base64url');
      return concealedPrefix + hash;
    };
  }

  private async load(): Promise<KeyObject> {
    const sealed = (await this.read()) ?? (await this.create());
    const key = this.secrets.open(sealed, context);
    if (!this.secrets.isCurrent(sealed)) {
      await this.database.execute({
        text: 'UPDATE suppression_hash_keys SET sealed_key = $1 WHERE sealed_key = $2',
        values: [this.secrets.seal(key, context), sealed],
      });
    }
    return createSecretKey(Buffer.from(key, 'base64'));
  }

  private async read(): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ sealed: Buffer }>({
      text: 'SELECT sealed_key AS sealed FROM suppression_hash_keys WHERE no = 1',
    });
    return row?.sealed;
  }

  /** Returns the key of another process if that was faster. All cells have the one that the home cell makes. */
  private async create(): Promise<Buffer> {
    if (!this.cells.isHome) {
      throw new DomainError(
        'unavailable',
        'service_unavailable',
        'This region is not connected yet. Please try again.',
      );
    }
    await this.database.execute({
      text: 'INSERT INTO suppression_hash_keys (no, sealed_key) VALUES (1, $1) ON CONFLICT DO NOTHING',
      values: [this.secrets.seal(randomBytes(32).toString('base64'), context)],
    });
    return (await this.read()) as Buffer;
  }
}
