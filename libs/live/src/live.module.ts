import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { LiveFeed } from './application/live-feed.js';
import { LiveChanges, WatchedEmails } from './application/ports/live-changes.port.js';
import { EmailSummaries } from './infrastructure/email-summaries.js';
import { LiveController } from './infrastructure/http/live.controller.js';
import { LiveStreams } from './infrastructure/http/live-streams.js';
import { SignedPositions } from './infrastructure/http/signed-positions.js';
import { PostgresLiveChanges } from './infrastructure/persistence/postgres-live-changes.js';

/** Tells open pages what changes. */
@Module({
  imports: [IdentityModule, EmailsModule],
  controllers: [LiveController],
  providers: [
    { provide: LiveChanges, useClass: PostgresLiveChanges },
    { provide: WatchedEmails, useClass: EmailSummaries },
    LiveFeed,
    LiveStreams,
    SignedPositions,
  ],
})
export class LiveHttpModule {}
