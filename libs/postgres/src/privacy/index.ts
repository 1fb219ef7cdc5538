export { addressSpellings } from './address-spellings.js';
export type { AddressSpellings } from './address-spellings.js';
export { erasingStatement, namesAddress, erasedPortionOf, withoutAddress } from './erasing-statement.js';
export type { ErasedRows } from './erasing-statement.js';
export { PersonalData, PersonalDataHolders, RecipientData } from './personal-data.js';
export type { DataSubject, ErasedPortion, RecipientKey } from './personal-data.js';
export { RecipientRows } from './recipient-rows.js';
export { UnindexedRows } from './unindexed-rows.js';
export { PrivacyRegistryModule } from './team-events-data.js';
