export { AudienceUsage } from './application/audience-usage.query.js';
export { ChangeConsent } from './application/change-consent.use-case.js';
export type { ConsentChange } from './application/change-consent.use-case.js';
export { ContactValues, maxMergeContacts } from './application/contact-values.query.js';
export type { MergeContact } from './application/contact-values.query.js';
export { FindGroups } from './application/find-groups.query.js';
export { ImportTargets } from './application/imports/import-targets.js';
export { FixedAudience } from './application/ports/fixed-audience.port.js';
export type {
  AskedContacts,
  AskedMembers,
  ConsentingContact,
  MembersQuery,
} from './application/ports/fixed-audience.port.js';
export { ImportedContacts, PreparedContacts } from './application/ports/imported-contacts.port.js';
export type { ImportBatch, WrittenRows } from './application/ports/imported-contacts.port.js';
export { SegmentMembers } from './application/filters/segment-members.query.js';
export { ContactActivity } from './application/ports/contact-activity.port.js';
export type { ContactAction } from './application/ports/contact-activity.port.js';
export { MarkContacts } from './application/mark-contacts.use-case.js';
export type { ContactMark } from './application/mark-contacts.use-case.js';
export { Preferences } from './application/preferences.query.js';
export type { TopicPreference } from './application/preferences.query.js';
export { ReadContacts } from './application/read-contacts.query.js';
export { RecipientConsents } from './application/recipient-consents.query.js';
export type { AskedConsent, RecipientConsent } from './application/recipient-consents.query.js';
export type { ContactKey, PropertyValue } from './domain/contact.js';
export { contactMergeValues } from './domain/contact-merge-values.js';
export type { MergeFields } from './domain/contact-merge-values.js';
export type { TopicChoice } from './domain/contact-event.js';
export type { ContactProperty, PropertyType } from './domain/property.js';
export { maxSegments, segmentThing } from './domain/segment.js';
export type { Subscription } from './domain/topic.js';
export { AudienceHttpModule, AudienceModule, AudienceWorkerModule } from './audience.module.js';
export { audienceSchema } from './infrastructure/persistence/schema.js';
