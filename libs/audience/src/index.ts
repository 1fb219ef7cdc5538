export { AudienceUsage, FindGroups } from './application/team-audience.query.js';
export { ChangeConsent } from './application/change-consent.use-case.js';
export type { ConsentChange } from './application/change-consent.use-case.js';
export { ContactValues, maxMergeContacts } from './application/contact-values.query.js';
export type { MergeContact } from './application/contact-values.query.js';
export { ImportTargets } from './application/imports/import-targets.js';
export { ConsentingContacts } from './application/ports/consenting-contacts.port.js';
export type { ConsentingContact } from './application/ports/consenting-contacts.port.js';
export { ImportedContacts, PreparedContacts } from './application/ports/imported-contacts.port.js';
export type { ImportBatch, WrittenRows } from './application/ports/imported-contacts.port.js';
export { SegmentHealth } from './application/filters/segment-metrics.query.js';
export { SegmentMembers } from './application/filters/segment-members.query.js';
export { ContactActivity, type ContactAction } from './application/ports/contact-repository.port.js';
export { MarkContacts } from './application/mark-contacts.use-case.js';
export type { ContactMark } from './application/mark-contacts.use-case.js';
export { Preferences } from './application/preferences.query.js';
export type { TopicPreference } from './application/preferences.query.js';
export { ContactSegments } from './application/contact-segments.use-case.js';
export { RemoveContact } from './application/remove-contact.use-case.js';
export { UpdateContact } from './application/update-contact.use-case.js';
export type { ContactUpdate } from './application/update-contact.use-case.js';
export { UpsertContact } from './application/upsert-contact.use-case.js';
export { ReadContacts } from './application/read-contacts.query.js';
export { RecipientConsents } from './application/recipient-consents.query.js';
export type { AskedConsent, RecipientConsent } from './application/recipient-consents.query.js';
export type { ContactKey, PropertyValue } from './domain/contact.js';
export { contactMergeValues } from './domain/contact-merge-values.js';
export type { MergeFields } from './domain/contact-merge-values.js';
export type { TopicChoice } from './domain/contact-event.js';
export { checkValues } from './domain/property.js';
export type { ContactProperty, PropertyType } from './domain/property.js';
export {
  AudienceNotMeasuredError,
  engagementDays,
  maxMeasured,
  minBroadcastsOfEngagement,
  recentImportDays,
} from './domain/measured-audience.js';
export type { MeasuredAudience, MeasuredImport } from './domain/measured-audience.js';
export { maxSegments, segmentThing } from './domain/segment.js';
export type { Subscription } from './domain/topic.js';
export { AudienceHttpModule, AudienceModule, AudienceWorkerModule } from './audience.module.js';
export { audienceSchema } from './infrastructure/persistence/schema.js';
export { segmentMembers } from './infrastructure/persistence/filters/segment-members.js';
export { unsubscribeSpanLog } from './infrastructure/persistence/unsubscribe-log.js';
export type { UnsubscribeSpan } from './infrastructure/persistence/unsubscribe-log.js';
