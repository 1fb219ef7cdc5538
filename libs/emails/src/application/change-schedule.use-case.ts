import { Clock, NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { NotScheduledError } from '../domain/email-errors.js';
import { checkSchedule } from '../domain/email-fields.js';
import { EmailRepository } from './ports/email-repository.port.js';
import { ScheduledEmails } from './ports/outbound-queue.port.js';

/** Reschedules or cancels a scheduled email. An email that has been released cannot be changed. */
@Injectable()
export class ChangeSchedule {
  constructor(
    private readonly scheduled: ScheduledEmails,
    private readonly emails: EmailRepository,
    private readonly clock: Clock,
  ) {}

  async reschedule(teamId: string, emailId: string, dueAt: Date): Promise<void> {
    const moment = checkSchedule(dueAt, this.clock.now());
    if (!(await this.scheduled.reschedule(teamId, emailId, moment))) await this.refuse(teamId, emailId);
  }

  async cancel(teamId: string, emailId: string): Promise<void> {
    if (!(await this.scheduled.cancel(teamId, emailId, this.clock.now()))) await this.refuse(teamId, emailId);
  }

  private async refuse(teamId: string, emailId: string): Promise<never> {
    const email = await this.emails.find(emailId, teamId);
    if (email === undefined) throw new NotFoundError('Email');
    throw new NotScheduledError(email.lastEvent);
  }
}
