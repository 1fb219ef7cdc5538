import { EmailsModule } from '#emails';
import { mailShare } from '#postgres/database';
import { Module } from '@nestjs/common';
import { FollowVisits } from './application/follow-visits.use-case.js';
import { TrackingTokens, VisitLog } from './application/ports/tracked-visits.port.js';
import { TrackingController } from './infrastructure/http/tracking.controller.js';
import { PostgresVisitLog } from './infrastructure/persistence/postgres-visit-log.js';
import { MailTracking } from './infrastructure/rendering/mail-tracking.js';
import { SignedTrackingTokens } from './infrastructure/tokens/signed-tracking-tokens.js';

/** Puts pixels and tracked links into mail. */
@Module({
  providers: [{ provide: TrackingTokens, useClass: SignedTrackingTokens }, MailTracking],
  exports: [TrackingTokens, MailTracking],
})
export class TrackingModule {}

/** The HTTP endpoints to which the pixels and links lead. */
@Module({
  imports: [TrackingModule, EmailsModule],
  controllers: [TrackingController],
  providers: [mailShare, { provide: VisitLog, useClass: PostgresVisitLog }, FollowVisits],
})
export class TrackingHttpModule {}
