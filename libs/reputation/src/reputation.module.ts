import { SenderPace } from '#delivery';
import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { BadOutcomes } from '#insights';
import { mailShare } from '#postgres/database';
import { Global, Module } from '@nestjs/common';
import { AnnounceChange } from './application/announce-change.js';
import { AnnounceWarmUp } from './application/announce-warm-up.js';
import { LiftGuard } from './application/lift-guard.use-case.js';
import { PaceOfSenders } from './application/pace-of-senders.js';
import {
  GuardedDomains,
  GuardedOutcomes,
  GuardRules,
  GuardStates,
  SlowedSenders,
} from './application/ports/reputation-guard.port.js';
import { WarmUps } from './application/ports/warm-ups.port.js';
import { ReadGuard } from './application/read-guard.query.js';
import { ReadWarmUp } from './application/read-warm-up.query.js';
import { ReceiverRules, Receivers } from './application/receivers.js';
import { TroubledPairs } from './application/troubled-pairs.js';
import { WarmUpDomain } from './application/warm-up-domain.use-case.js';
import { WatchReputation } from './application/watch-reputation.use-case.js';
import { ConfiguredGuardRules, ConfiguredReceiverRules } from './infrastructure/configured-rules.js';
import { GuardController } from './infrastructure/http/guard.controller.js';
import { GuardsController } from './infrastructure/http/guards.controller.js';
import { WarmUpController } from './infrastructure/http/warm-up.controller.js';
import {
  PostgresGuardedDomains,
  PostgresGuardedOutcomes,
} from './infrastructure/persistence/postgres-guarded-outcomes.js';
import { GuardEvidenceData } from './infrastructure/persistence/guard-evidence-data.js';
import { PostgresGuardStates } from './infrastructure/persistence/postgres-guard-states.js';
import { PostgresSlowedSenders } from './infrastructure/persistence/postgres-slowed-senders.js';
import { PostgresWarmUps } from './infrastructure/persistence/postgres-warm-ups.js';
import { ReputationPurge } from './infrastructure/persistence/reputation-purge.js';
import { PaceWorker, ReputationWorker } from './infrastructure/worker/reputation-workers.js';

/** Slows the mail of senders in trouble, and of new ones. */
// oxlint-disable-next-line house/global-module -- answers the ports of delivery (`SenderPace`) and insights (`BadOutcomes`), which do not know it
@Global()
@Module({
  imports: [DomainsModule],
  providers: [
    mailShare,
    { provide: SlowedSenders, useClass: PostgresSlowedSenders },
    { provide: WarmUps, useClass: PostgresWarmUps },
    { provide: ReceiverRules, useClass: ConfiguredReceiverRules },
    { provide: GuardStates, useClass: PostgresGuardStates },
    { provide: GuardRules, useClass: ConfiguredGuardRules },
    { provide: GuardedOutcomes, useClass: PostgresGuardedOutcomes },
    { provide: GuardedDomains, useClass: PostgresGuardedDomains },
    GuardEvidenceData,
    Receivers,
    PaceOfSenders,
    { provide: SenderPace, useExisting: PaceOfSenders },
    { provide: BadOutcomes, useClass: TroubledPairs },
    AnnounceChange,
    AnnounceWarmUp,
  ],
  exports: [
    SenderPace,
    BadOutcomes,
    PaceOfSenders,
    WarmUps,
    GuardStates,
    GuardRules,
    GuardedOutcomes,
    AnnounceChange,
    AnnounceWarmUp,
  ],
})
export class ReputationModule {}

/** How the guard holds mail, and warm-ups, over HTTP. */
@Module({
  imports: [ReputationModule, DomainsModule, IdentityModule],
  controllers: [GuardController, GuardsController, WarmUpController],
  providers: [ReadGuard, LiftGuard, ReadWarmUp, WarmUpDomain],
})
export class ReputationHttpModule {}

/** Knows whose mail is slowed, in each process that delivers. */
@Module({ imports: [ReputationModule], providers: [PaceWorker] })
export class PaceModule {}

/** Looks at what becomes of mail, and takes the steps of the guard. */
@Module({
  imports: [ReputationModule],
  providers: [WatchReputation, ReputationWorker, ReputationPurge],
})
export class ReputationWorkerModule {}
