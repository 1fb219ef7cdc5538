export { BadOutcomes, type RefusedSender, type TroubledPair } from './application/ports/provider-counters.port.js';
export { DomainListings } from './application/ports/domain-listings.port.js';
export type { Listing, Listings } from './application/ports/domain-listings.port.js';
export { providerOf } from './application/count-by-provider.use-case.js';
export { InsightsDataModule, InsightsHttpModule, InsightsWorkerModule } from './insights.module.js';
export { insightsSchema } from './infrastructure/persistence/schema.js';
