export { BadOutcomes } from './application/ports/bad-outcomes.port.js';
export type { RefusedSender, TroubledPair } from './application/ports/bad-outcomes.port.js';
export { DomainListings } from './application/ports/domain-listings.port.js';
export type { Listing, Listings } from './application/ports/domain-listings.port.js';
export { providerOf } from './application/provider-of.js';
export { InsightsDataModule, InsightsHttpModule, InsightsWorkerModule } from './insights.module.js';
export { insightsSchema } from './infrastructure/persistence/schema.js';
