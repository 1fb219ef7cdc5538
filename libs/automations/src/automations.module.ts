import { AudienceModule } from '#audience';
import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { TemplatesModule } from '#templates';
import { EndpointRulesModule } from '#webhooks';
import { Module } from '@nestjs/common';
import { AdvanceRuns } from './application/advance-runs.use-case.js';
import { AdvanceSlice } from './application/advance-slice.js';
import { Automations } from './application/automations.use-case.js';
import { CheckAutomation } from './application/check-automation.js';
import { ContactsOfEvents } from './application/contacts-of-events.js';
import { DoEffects } from './application/do-effects.js';
import { Events } from './application/events.use-case.js';
import { FollowDates } from './application/follow-dates.use-case.js';
import { FollowSegments } from './application/follow-segments.use-case.js';
import { MakeCalls, RotateCallSecret } from './application/make-calls.use-case.js';
import { NoteEvents } from './application/note-events.use-case.js';
import { AutomationRepository } from './application/ports/automation-repository.port.js';
import { CallQueue, CallSecretRepository, StepCaller } from './application/ports/step-calls.port.js';
import { DateQueue } from './application/ports/date-queue.port.js';
import { EventQueue } from './application/ports/event-queue.port.js';
import { EventRepository } from './application/ports/event-repository.port.js';
import { RuleJudge } from './application/ports/rule-judge.port.js';
import { RunQueue } from './application/ports/run-queue.port.js';
import { RunRepository } from './application/ports/run-repository.port.js';
import { SeenEventRepository } from './application/ports/seen-event-repository.port.js';
import { SegmentWatch } from './application/ports/segment-watch.port.js';
import { StartRuns } from './application/start-runs.use-case.js';
import { TryAutomation } from './application/try-automation.use-case.js';
import { HttpStepCaller } from './infrastructure/client/http-step-caller.js';
import { AutomationRunsController } from './infrastructure/http/automation-runs.controller.js';
import { AutomationsController } from './infrastructure/http/automations.controller.js';
import { EventsController } from './infrastructure/http/events.controller.js';
import { AutomationToolsController } from './infrastructure/http/automation-tools.controller.js';
import { ThreadedRuleJudge } from './infrastructure/judging/threaded-rule-judge.js';
import { AutomationsData } from './infrastructure/persistence/automations-data.js';
import { AutomationsPurge } from './infrastructure/persistence/automations-purge.js';
import { PostgresAutomationRepository } from './infrastructure/persistence/postgres-automation-repository.js';
import { PostgresCallQueue } from './infrastructure/persistence/postgres-call-queue.js';
import { PostgresCallSecrets } from './infrastructure/persistence/postgres-call-secrets.js';
import { PostgresDateQueue } from './infrastructure/persistence/postgres-date-queue.js';
import { PostgresEventQueue } from './infrastructure/persistence/postgres-event-queue.js';
import { PostgresEventRepository } from './infrastructure/persistence/postgres-event-repository.js';
import { PostgresRunQueue } from './infrastructure/persistence/postgres-run-queue.js';
import { PostgresRunRepository } from './infrastructure/persistence/postgres-run-repository.js';
import { PostgresSeenEvents } from './infrastructure/persistence/postgres-seen-events.js';
import { PostgresSegmentWatch } from './infrastructure/persistence/postgres-segment-watch.js';
import {
  AutomationWorker,
  CallsWorker,
  DatesWorker,
  SeenEventsWorker,
  SegmentsWorker,
} from './infrastructure/worker/automation-workers.js';
import { EmailsOfRunsConsumer } from './infrastructure/worker/emails-of-runs-consumer.js';
import { SecretResealing } from './infrastructure/worker/secret-resealing.js';

/** The endpoints of custom events, automations and their runs. */
@Module({
  imports: [AudienceModule, EmailsModule, EndpointRulesModule, IdentityModule, TemplatesModule],
  controllers: [EventsController, AutomationRunsController, AutomationToolsController, AutomationsController],
  providers: [
    { provide: AutomationRepository, useClass: PostgresAutomationRepository },
    { provide: CallSecretRepository, useClass: PostgresCallSecrets },
    { provide: EventRepository, useClass: PostgresEventRepository },
    { provide: RunRepository, useClass: PostgresRunRepository },
    { provide: SeenEventRepository, useClass: PostgresSeenEvents },
    { provide: RuleJudge, useClass: ThreadedRuleJudge },
    Automations,
    CheckAutomation,
    Events,
    RotateCallSecret,
    TryAutomation,
  ],
})
export class AutomationsHttpModule {}

/** Starts runs, and does their steps. */
@Module({
  imports: [AudienceModule, EmailsModule, IdentityModule],
  providers: [
    { provide: CallQueue, useClass: PostgresCallQueue },
    { provide: CallSecretRepository, useClass: PostgresCallSecrets },
    { provide: DateQueue, useClass: PostgresDateQueue },
    { provide: EventQueue, useClass: PostgresEventQueue },
    { provide: EventRepository, useClass: PostgresEventRepository },
    { provide: RunQueue, useClass: PostgresRunQueue },
    { provide: SeenEventRepository, useClass: PostgresSeenEvents },
    { provide: SegmentWatch, useClass: PostgresSegmentWatch },
    { provide: StepCaller, useClass: HttpStepCaller },
    AdvanceRuns,
    AdvanceSlice,
    AutomationsPurge,
    CallsWorker,
    AutomationWorker,
    ContactsOfEvents,
    DatesWorker,
    DoEffects,
    EmailsOfRunsConsumer,
    FollowDates,
    FollowSegments,
    MakeCalls,
    NoteEvents,
    SecretResealing,
    SeenEventsWorker,
    SegmentsWorker,
    StartRuns,
  ],
})
export class AutomationsWorkerModule {}

/** What this lib knows about people. */
@Module({ providers: [AutomationsData] })
export class AutomationsPrivacyModule {}
