import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AcceptSubmission } from './application/accept-submission.use-case.js';
import { SubmissionRate } from './application/ports/submission-rate.port.js';
import { InMemorySubmissionRate } from './infrastructure/limits/in-memory-submission-rate.js';
import { SubmissionListeners } from './infrastructure/smtp/submission-listeners.js';

/** Mail in over SMTP. Listens when it is told to, once the rest of the program is ready. */
@Module({
  imports: [EmailsModule, IdentityModule],
  providers: [AcceptSubmission, { provide: SubmissionRate, useClass: InMemorySubmissionRate }, SubmissionListeners],
  exports: [SubmissionListeners],
})
export class SmtpModule {}
