import { IdentityModule } from '#identity';
import { SuppressionsModule } from '#suppressions';
import { Module } from '@nestjs/common';
import { ApplyUpserts } from './application/apply-upserts.js';
import { AudienceUsage, FindGroups } from './application/team-audience.query.js';
import { ChangeConsent } from './application/change-consent.use-case.js';
import { CheckReferences } from './application/check-references.js';
import { ContactValues } from './application/contact-values.query.js';
import { CheckFilter, PreviewFilter } from './application/filters/check-filter.query.js';
import { SegmentMembers } from './application/filters/segment-members.query.js';
import { SegmentHealth, SegmentMetrics } from './application/filters/segment-metrics.query.js';
import { ImportTargets } from './application/imports/import-targets.js';
import { ContactSegments } from './application/contact-segments.use-case.js';
import { ContactProperties } from './application/contact-properties.use-case.js';
import { Segments } from './application/segments.use-case.js';
import { ContactTopics } from './application/contact-topics.use-case.js';
import { Topics } from './application/topics.use-case.js';
import { MarkContacts } from './application/mark-contacts.use-case.js';
import {
  ContactActivity,
  ContactHistory,
  ContactRepository,
  PropertyRepository,
  Removals,
} from './application/ports/contact-repository.port.js';
import { ContactUpserts } from './application/ports/contact-upserts.port.js';
import { FilteredContacts } from './application/ports/filtered-contacts.port.js';
import { ConsentingContacts } from './application/ports/consenting-contacts.port.js';
import { ImportedContacts } from './application/ports/imported-contacts.port.js';
import { MembershipRepository, SegmentRepository } from './application/ports/segment-repository.port.js';
import { SubscriptionRepository, TopicRepository } from './application/ports/topic-repository.port.js';
import { Preferences } from './application/preferences.query.js';
import { ReadContacts } from './application/read-contacts.query.js';
import { RecipientConsents } from './application/recipient-consents.query.js';
import { RecordChanges } from './application/record-changes.js';
import { RemoveContact } from './application/remove-contact.use-case.js';
import { UpdateContact } from './application/update-contact.use-case.js';
import { UpsertContact } from './application/upsert-contact.use-case.js';
import { WriteGroups } from './application/write-groups.js';
import { AudienceContactsController } from './infrastructure/http/audience-contacts.controller.js';
import { AudiencesController } from './infrastructure/http/audiences.controller.js';
import { ContactGroupsController } from './infrastructure/http/contact-groups.controller.js';
import { ContactPropertiesController } from './infrastructure/http/contact-properties.controller.js';
import { ContactsController } from './infrastructure/http/contacts.controller.js';
import { SegmentInsightsController } from './infrastructure/http/segment-insights.controller.js';
import { SegmentsController } from './infrastructure/http/segments.controller.js';
import { TopicsController } from './infrastructure/http/topics.controller.js';
import { ContactActivityData } from './infrastructure/persistence/contact-activity-data.js';
import { ContactsData } from './infrastructure/persistence/contacts-data.js';
import { PostgresFilteredContacts } from './infrastructure/persistence/filters/postgres-filtered-contacts.js';
import { PostgresConsentingContacts } from './infrastructure/persistence/postgres-consenting-contacts.js';
import { PostgresImportedContacts } from './infrastructure/persistence/imports/postgres-imported-contacts.js';
import { PostgresContactActivity } from './infrastructure/persistence/postgres-contact-activity.js';
import { PostgresContactHistory } from './infrastructure/persistence/postgres-contact-history.js';
import { PostgresContactRepository } from './infrastructure/persistence/postgres-contact-repository.js';
import { PostgresContactUpserts } from './infrastructure/persistence/postgres-contact-upserts.js';
import { PostgresMembershipRepository } from './infrastructure/persistence/postgres-membership-repository.js';
import { PostgresPropertyRepository } from './infrastructure/persistence/postgres-property-repository.js';
import { PostgresRemovals } from './infrastructure/persistence/postgres-removals.js';
import { PostgresSegmentRepository } from './infrastructure/persistence/postgres-segment-repository.js';
import { PostgresSubscriptionRepository } from './infrastructure/persistence/postgres-subscription-repository.js';
import { PostgresTopicRepository } from './infrastructure/persistence/postgres-topic-repository.js';
import { AudienceTidying } from './infrastructure/worker/audience-tidying.js';

/** What other libs use of the audience. */
const frontDoor = [
  AudienceUsage,
  ChangeConsent,
  ContactValues,
  FindGroups,
  ImportTargets,
  MarkContacts,
  Preferences,
  RecipientConsents,
  SegmentHealth,
  SegmentMembers,
];
const useCases = [
  CheckFilter,
  PreviewFilter,
  SegmentMetrics,
  ContactSegments,
  ContactProperties,
  Segments,
  ContactTopics,
  Topics,
  ReadContacts,
  RemoveContact,
  UpdateContact,
  UpsertContact,
];

/** Contacts, their properties, segments and topics. */
@Module({
  imports: [SuppressionsModule],
  providers: [
    { provide: ContactActivity, useClass: PostgresContactActivity },
    { provide: ContactHistory, useClass: PostgresContactHistory },
    { provide: ContactRepository, useClass: PostgresContactRepository },
    { provide: ContactUpserts, useClass: PostgresContactUpserts },
    { provide: FilteredContacts, useClass: PostgresFilteredContacts },
    { provide: ConsentingContacts, useClass: PostgresConsentingContacts },
    { provide: ImportedContacts, useClass: PostgresImportedContacts },
    { provide: MembershipRepository, useClass: PostgresMembershipRepository },
    { provide: PropertyRepository, useClass: PostgresPropertyRepository },
    { provide: Removals, useClass: PostgresRemovals },
    { provide: SegmentRepository, useClass: PostgresSegmentRepository },
    { provide: SubscriptionRepository, useClass: PostgresSubscriptionRepository },
    { provide: TopicRepository, useClass: PostgresTopicRepository },
    ApplyUpserts,
    CheckReferences,
    RecordChanges,
    WriteGroups,
    ContactActivityData,
    ContactsData,
    ...useCases,
    ...frontDoor,
  ],
  exports: [ContactActivity, ConsentingContacts, ImportedContacts, Removals, ...useCases, ...frontDoor],
})
export class AudienceModule {}

@Module({
  imports: [AudienceModule, IdentityModule],
  controllers: [
    ContactsController,
    ContactGroupsController,
    ContactPropertiesController,
    SegmentInsightsController,
    SegmentsController,
    TopicsController,
    AudiencesController,
    AudienceContactsController,
  ],
})
export class AudienceHttpModule {}

@Module({ imports: [AudienceModule], providers: [AudienceTidying] })
export class AudienceWorkerModule {}
