export { AddSuppression } from './application/add-suppression.use-case.js';
export type { NewSuppression } from './application/add-suppression.use-case.js';
export { ConcealAddress } from './application/conceal-address.use-case.js';
export { SuppressedAddresses } from './application/suppressed-addresses.query.js';
export type { SuppressionOrigin } from './domain/suppression.js';
export { SuppressionsHttpModule, SuppressionsModule } from './suppressions.module.js';
export { suppressionsSchema } from './infrastructure/persistence/schema.js';
