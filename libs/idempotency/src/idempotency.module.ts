import { Module } from '@nestjs/common';
import { IdempotencyKeys } from './application/ports/idempotency-keys.port.js';
import { RemoveExpiredKeys } from './application/remove-expired-keys.use-case.js';
import { PostgresIdempotencyKeys } from './infrastructure/persistence/postgres-idempotency-keys.js';
import { ExpiredKeysSweeper } from './infrastructure/worker/expired-keys-sweeper.js';

/**
 * Makes sure that a repeated request is done once. The code that does the work claims the key in the same transaction.
 */
@Module({
  providers: [{ provide: IdempotencyKeys, useClass: PostgresIdempotencyKeys }, RemoveExpiredKeys],
  exports: [IdempotencyKeys, RemoveExpiredKeys],
})
export class IdempotencyModule {}

@Module({ imports: [IdempotencyModule], providers: [ExpiredKeysSweeper] })
export class IdempotencyWorkerModule {}
