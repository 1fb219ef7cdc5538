import { AudienceModule } from '#audience';
import { Module } from '@nestjs/common';
import { RecipientsOfEvents } from './application/ports/recipients-of-events.port.js';
import { RecordActivity } from './application/record-activity.use-case.js';
import { PostgresRecipientsOfEvents } from './infrastructure/persistence/postgres-recipients-of-events.js';
import { ContactActivityWorker } from './infrastructure/worker/contact-activity-worker.js';

/** Keeps the activity of contacts, from the events of emails. */
@Module({
  imports: [AudienceModule],
  providers: [
    { provide: RecipientsOfEvents, useClass: PostgresRecipientsOfEvents },
    RecordActivity,
    ContactActivityWorker,
  ],
})
export class ContactActivityWorkerModule {}
