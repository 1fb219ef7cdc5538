import { EmailsModule } from '#emails';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { AcceptSubmission } from './application/accept-submission.use-case.js';
import { SmtpListeners } from './infrastructure/smtp/smtp-listeners.js';

/** Receives mail over SMTP. Starts to listen when the rest of the program is ready. */
@Module({
  imports: [EmailsModule, IdentityModule],
  providers: [AcceptSubmission, SmtpListeners],
  exports: [SmtpListeners],
})
export class SmtpModule {}
