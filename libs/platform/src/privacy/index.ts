export { PersonalData, PersonalDataHolders, RecipientData } from './personal-data.js';
export type { DataSubject, ErasedPortion, RecipientKey } from './personal-data.js';
export { PrivacyRegistryModule } from './privacy-registry.module.js';
