export { SuppressedAddresses } from './application/suppressed-addresses.query.js';
export { Suppressions } from './application/suppressions.use-case.js';
export type { NewSuppression } from './application/suppressions.use-case.js';
export type { Suppression, SuppressionOrigin } from './domain/suppression.js';
export { SuppressionsHttpModule, SuppressionsModule } from './suppressions.module.js';
export { suppressionsSchema } from './infrastructure/persistence/schema.js';
