import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AcceptSubmission } from './application/accept-submission.use-case.js';
import { SubmissionListeners } from './infrastructure/smtp/submission-listeners.js';

/** Receives mail over SMTP. Starts to listen when the rest of the program is ready. */
@Module({
  imports: [EmailsModule, IdentityModule],
  providers: [AcceptSubmission, SubmissionListeners],
  exports: [SubmissionListeners],
})
export class SmtpModule {}
