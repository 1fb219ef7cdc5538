import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { SandboxMessages1763700100000 } from './1763700100000-sandbox-messages.js';
import { Suppressions1763700200000 } from './1763700200000-suppressions.js';
import { SendingLimits1763700300000 } from './1763700300000-sending-limits.js';
import { RequestLogs1763700410000 } from './1763700410000-request-logs.js';
import { DomainVerification1763700450000 } from './1763700450000-domain-verification.js';
import { DeliveryTrace1763700460000 } from './1763700460000-delivery-trace.js';
import { Webhooks1763700510000 } from './1763700510000-webhooks.js';
import { Feedback1763700520000 } from './1763700520000-feedback.js';
import { Tracking1763700530000 } from './1763700530000-tracking.js';
import { SiteLimits1763700540000 } from './1763700540000-site-limits.js';
import { AttemptTimings1763700550000 } from './1763700550000-attempt-timings.js';
import { QuietEndpoints1763700560000 } from './1763700560000-quiet-endpoints.js';
import { CounterShards1763700570000 } from './1763700570000-counter-shards.js';
import { Notices1763700575000 } from './1763700575000-notices.js';
import { SiteDemands1763700580000 } from './1763700580000-site-demands.js';
import { QueueOwners1763700590000 } from './1763700590000-queue-owners.js';
import { QueueTurns1763700600000 } from './1763700600000-queue-turns.js';
import { InstalledDefinitions1763700610000 } from './1763700610000-installed-definitions.js';
import { EventPositions1763700611000 } from './1763700611000-event-positions.js';
import { EventPositionIndex1763700612000 } from './1763700612000-event-position-index.js';
import { Actors1763700620000 } from './1763700620000-actors.js';
import { SharedContent1763700621000 } from './1763700621000-shared-content.js';
import { Audience1763800000000 } from './1763800000000-audience.js';
import { ConcealedSuppressions1763800001000 } from './1763800001000-concealed-suppressions.js';
import { EventPositionDefault1763800002000 } from './1763800002000-event-position-default.js';
import { Erasures1763800003000 } from './1763800003000-erasures.js';
import { ContactImports1763810000000 } from './1763810000000-contact-imports.js';
import { ContactActivity1763810100000 } from './1763810100000-contact-activity.js';
import { Templates1763820000000 } from './1763820000000-templates.js';
import { SenderProfiles1763820100000 } from './1763820100000-sender-profiles.js';
import { SignIn1763830000000 } from './1763830000000-sign-in.js';
import { NoticeRecipients1763830010000 } from './1763830010000-notice-recipients.js';
import { TeamsOfPeople1763830020000 } from './1763830020000-teams-of-people.js';
import { OAuth1763830030000 } from './1763830030000-oauth.js';
import { LiveChanges1763850000000 } from './1763850000000-live-changes.js';
import { RecipientAddressIndex1763850001000 } from './1763850001000-recipient-address-index.js';
import { MachineRoom1763850002000 } from './1763850002000-machine-room.js';
import { ReceivedEmails1763860000000 } from './1763860000000-received-emails.js';
import { DomainReports1763870000000 } from './1763870000000-domain-reports.js';
import { InboundRoutes1763870100000 } from './1763870100000-inbound-routes.js';
import { Broadcasts1763900000000 } from './1763900000000-broadcasts.js';
import { BroadcastFanOut1763900100000 } from './1763900100000-broadcast-fan-out.js';
import { BulkMail1763900200000 } from './1763900200000-bulk-mail.js';
import { BroadcastThrottle1763900201000 } from './1763900201000-broadcast-throttle.js';
import { RouteTargets1763900300000 } from './1763900300000-route-targets.js';
import { SignInAttempts1763900400000 } from './1763900400000-sign-in-attempts.js';
import { Unsubscribes1763900500000 } from './1763900500000-unsubscribes.js';
import { ContactsWithoutTeamKey1763900501000 } from './1763900501000-contacts-without-team-key.js';
import { SampledContacts1763900502000 } from './1763900502000-sampled-contacts.js';
import { BroadcastReasons1763900502500 } from './1763900502500-broadcast-reasons.js';
import { BroadcastSubjects1763900503500 } from './1763900503500-broadcast-subjects.js';
import { EmailsOfBroadcasts1763900504500 } from './1763900504500-emails-of-broadcasts.js';
import { ConcealedSuppressions1763900505500 } from './1763900505500-concealed-suppressions.js';
import { TemplatesOfEmails1763900506500 } from './1763900506500-templates-of-emails.js';
import { RequestsOfPages1763900507500 } from './1763900507500-requests-of-pages.js';
import { AuditedTools1763900700500 } from './1763900700500-audited-tools.js';
import { UnusedReceivedContents1763900801000 } from './1763900801000-unused-received-contents.js';
import { BoundedAuditEntries1763900855000 } from './1763900855000-bounded-audit-entries.js';
import { EndsOfGrants1763900860500 } from './1763900860500-ends-of-grants.js';
import { ErasureTurns1763900870000 } from './1763900870000-erasure-turns.js';
import { TurnsOfNotices1763900871000 } from './1763900871000-turns-of-notices.js';
import { RemovalsOfTeams1763900872000 } from './1763900872000-removals-of-teams.js';
import { ForwardsOfTeams1763900873100 } from './1763900873100-forwards-of-teams.js';
import { TeamsOfScheduledEmails1763900874000 } from './1763900874000-teams-of-scheduled-emails.js';
import { Automations1763910000000 } from './1763910000000-automations.js';
import { AutomationSettings1763911000000 } from './1763911000000-automation-settings.js';
import { AutomationRunIndexes1763911001000 } from './1763911001000-automation-run-indexes.js';
import { AutomationTriggers1763912000000 } from './1763912000000-automation-triggers.js';
import { AutomationCounts1763913000000 } from './1763913000000-automation-counts.js';
import { AutomationStepIndex1763913001000 } from './1763913001000-automation-step-index.js';
import { AutomationCalls1763914000000 } from './1763914000000-automation-calls.js';
import { SeenEvents1763915000000 } from './1763915000000-seen-events.js';
import { ProviderCounts1763920000000 } from './1763920000000-provider-counts.js';
import { DocumentsOfContents1763930000000 } from './1763930000000-documents-of-contents.js';
import { Editor1763930100000 } from './1763930100000-editor.js';
import { Images1763930200000 } from './1763930200000-images.js';
import { Reputation1763940000000 } from './1763940000000-reputation.js';
import { EditorSections1763946000000 } from './1763946000000-editor-sections.js';
import { EditorCursors1763947000000 } from './1763947000000-editor-cursors.js';
import { NamesOfImports1763948100000 } from './1763948100000-names-of-imports.js';
import { BrandLogos1763948200000 } from './1763948200000-brand-logos.js';
import { WarmUps1763952000000 } from './1763952000000-warm-ups.js';
import { Regions1763960000000 } from './1763960000000-regions.js';
import { SendingPools1763970000000 } from './1763970000000-sending-pools.js';
import { SourcesOfAttempts1763970100000 } from './1763970100000-sources-of-attempts.js';
import { ProviderReports1763981000000 } from './1763981000000-provider-reports.js';
import { PoolsOfTags1763982000000 } from './1763982000000-pools-of-tags.js';
import { UnusedDomainEvents1763983000000 } from './1763983000000-unused-domain-events.js';
import { ResultsOfTeams1763984000000 } from './1763984000000-results-of-teams.js';
import { ReceivedWorkOfTeams1763985000000 } from './1763985000000-received-work-of-teams.js';
import { SizesOfAutomationVersions1763986000000 } from './1763986000000-sizes-of-automation-versions.js';
import { RunsOfAutomationVersions1763986001000 } from './1763986001000-runs-of-automation-versions.js';
import { HeldEvents1763987000000 } from './1763987000000-held-events.js';
import { ClosedVersions1763989000000 } from './1763989000000-closed-versions.js';
import { CheckedImages1763990000000 } from './1763990000000-checked-images.js';
import { Inboxes1763991000000 } from './1763991000000-inboxes.js';
import { ReceivedThreads1763991300000 } from './1763991300000-received-threads.js';
import { TeamsOfRemovedInboxes1763991301000 } from './1763991301000-teams-of-removed-inboxes.js';
import { EventsBehindTheirTrigger1763992030000 } from './1763992030000-events-behind-their-trigger.js';
import { UnfinishedRunsOfContacts1763992030100 } from './1763992030100-unfinished-runs-of-contacts.js';
import { AutomaticAnswers1763992040000 } from './1763992040000-automatic-answers.js';
import { EmailsOfReplies1763992360000 } from './1763992360000-emails-of-replies.js';
import { FoldedCase1763992361000 } from './1763992361000-folded-case.js';
import { HealthOfWebhooks1763992362000 } from './1763992362000-health-of-webhooks.js';
import { SizesOfSegments1763992363000 } from './1763992363000-sizes-of-segments.js';
import { KeyPolicies1763992364000 } from './1763992364000-key-policies.js';
import { DefaultSenders1763992365000 } from './1763992365000-default-senders.js';
import { KeysThatOnlyDraft1763992366000 } from './1763992366000-keys-that-only-draft.js';
import { MembersByProvider1763992367000 } from './1763992367000-members-by-provider.js';
import { Certificates1763993000000 } from './1763993000000-certificates.js';
import { FormatsOfWebhooks1763993100000 } from './1763993100000-formats-of-webhooks.js';
import { AssigneesOfThreads1763993200000 } from './1763993200000-assignees-of-threads.js';

/**
 * All migrations in the order in which they run. A released one never changes.
 *
 * An upgrade runs them while processes of the previous version still work, so a migration must not break that version.
 * Adding a table, an index or a column (nullable or with a default) and loosening a constraint take one release.
 * Renaming, dropping, tightening or changing a meaning takes two: the first release writes both forms and reads either;
 * the second, when no process of the previous version runs any more, drops the old form. A migration may lock a table
 * in use only briefly (`lock_timeout` is ten seconds): no rewrite, no validation of existing rows, and an index on a
 * large table CONCURRENTLY in a separate migration. Rows are converted by a worker in batches, never in a migration.
 *
 * Views, functions and triggers are not created by migrations. They are in SQL files of the libs, which
 * `installDefinitions` installs afterwards. A migration that must drop one also deletes its row from
 * `installed_definitions`, so that it is installed again.
 */
export const migrations = [
  Foundation1763700000000,
  SandboxMessages1763700100000,
  Suppressions1763700200000,
  SendingLimits1763700300000,
  RequestLogs1763700410000,
  DomainVerification1763700450000,
  DeliveryTrace1763700460000,
  Webhooks1763700510000,
  Feedback1763700520000,
  Tracking1763700530000,
  SiteLimits1763700540000,
  AttemptTimings1763700550000,
  QuietEndpoints1763700560000,
  CounterShards1763700570000,
  Notices1763700575000,
  SiteDemands1763700580000,
  QueueOwners1763700590000,
  QueueTurns1763700600000,
  InstalledDefinitions1763700610000,
  EventPositions1763700611000,
  EventPositionIndex1763700612000,
  Actors1763700620000,
  SharedContent1763700621000,
  Audience1763800000000,
  ConcealedSuppressions1763800001000,
  EventPositionDefault1763800002000,
  Erasures1763800003000,
  ContactImports1763810000000,
  ContactActivity1763810100000,
  Templates1763820000000,
  SenderProfiles1763820100000,
  SignIn1763830000000,
  NoticeRecipients1763830010000,
  TeamsOfPeople1763830020000,
  OAuth1763830030000,
  LiveChanges1763850000000,
  RecipientAddressIndex1763850001000,
  MachineRoom1763850002000,
  ReceivedEmails1763860000000,
  DomainReports1763870000000,
  InboundRoutes1763870100000,
  Broadcasts1763900000000,
  BroadcastFanOut1763900100000,
  BulkMail1763900200000,
  BroadcastThrottle1763900201000,
  RouteTargets1763900300000,
  SignInAttempts1763900400000,
  Unsubscribes1763900500000,
  ContactsWithoutTeamKey1763900501000,
  SampledContacts1763900502000,
  BroadcastReasons1763900502500,
  BroadcastSubjects1763900503500,
  EmailsOfBroadcasts1763900504500,
  ConcealedSuppressions1763900505500,
  TemplatesOfEmails1763900506500,
  RequestsOfPages1763900507500,
  AuditedTools1763900700500,
  UnusedReceivedContents1763900801000,
  BoundedAuditEntries1763900855000,
  EndsOfGrants1763900860500,
  ErasureTurns1763900870000,
  TurnsOfNotices1763900871000,
  RemovalsOfTeams1763900872000,
  ForwardsOfTeams1763900873100,
  TeamsOfScheduledEmails1763900874000,
  Automations1763910000000,
  AutomationSettings1763911000000,
  AutomationRunIndexes1763911001000,
  AutomationTriggers1763912000000,
  AutomationCounts1763913000000,
  AutomationStepIndex1763913001000,
  AutomationCalls1763914000000,
  SeenEvents1763915000000,
  ProviderCounts1763920000000,
  DocumentsOfContents1763930000000,
  Editor1763930100000,
  Images1763930200000,
  Reputation1763940000000,
  EditorSections1763946000000,
  EditorCursors1763947000000,
  NamesOfImports1763948100000,
  BrandLogos1763948200000,
  WarmUps1763952000000,
  Regions1763960000000,
  SendingPools1763970000000,
  SourcesOfAttempts1763970100000,
  ProviderReports1763981000000,
  PoolsOfTags1763982000000,
  UnusedDomainEvents1763983000000,
  ResultsOfTeams1763984000000,
  ReceivedWorkOfTeams1763985000000,
  SizesOfAutomationVersions1763986000000,
  RunsOfAutomationVersions1763986001000,
  HeldEvents1763987000000,
  ClosedVersions1763989000000,
  CheckedImages1763990000000,
  Inboxes1763991000000,
  ReceivedThreads1763991300000,
  TeamsOfRemovedInboxes1763991301000,
  EventsBehindTheirTrigger1763992030000,
  UnfinishedRunsOfContacts1763992030100,
  AutomaticAnswers1763992040000,
  EmailsOfReplies1763992360000,
  FoldedCase1763992361000,
  HealthOfWebhooks1763992362000,
  SizesOfSegments1763992363000,
  KeyPolicies1763992364000,
  DefaultSenders1763992365000,
  KeysThatOnlyDraft1763992366000,
  MembersByProvider1763992367000,
  Certificates1763993000000,
  FormatsOfWebhooks1763993100000,
  AssigneesOfThreads1763993200000,
];
