export { IdempotencyKeys } from './application/ports/idempotency-keys.port.js';
export { RemoveExpiredKeys } from './application/remove-expired-keys.use-case.js';
export {
  checkIdempotencyKey,
  ConcurrentIdempotentRequestsError,
  InvalidIdempotencyKeyError,
  InvalidIdempotentRequestError,
  maxKeyLength,
  replay,
} from './domain/idempotency.js';
export type { ClaimResult, IdempotencyClaim, IdempotentRequest, KnownRequest } from './domain/idempotency.js';
export { IdempotencyModule, IdempotencyWorkerModule } from './idempotency.module.js';
export { fingerprintOf, fingerprintOfLarge } from './infrastructure/http/fingerprint.js';
export { idempotencySchema } from './infrastructure/persistence/schema.js';
