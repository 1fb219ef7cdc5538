import { AcceptEmails } from '#emails';
import { Clock } from '#kernel';
import { finishedMessage } from '#smtp';
import { Injectable } from '@nestjs/common';
import { Submission, WireEmails } from '../wire-emails.js';
import { sesBulk } from './ses-bulk.js';
import { sesMessage } from './ses-message.js';

/** What became of an entry of a bulk, as version 2 has it. */
export interface SesBulkResult {
  readonly Status: 'SUCCESS' | 'MESSAGE_REJECTED';
  readonly Error?: string;
  readonly MessageId?: string;
}

/** Sends what the requests of both versions of SES say. The bodies are those of version 2. */
@Injectable()
export class SesSending {
  constructor(
    private readonly emails: WireEmails,
    private readonly acceptEmails: AcceptEmails,
    private readonly clock: Clock,
  ) {}

  /** `SendEmail`. Resolves with the id of the email. */
  async send(submission: Submission): Promise<string> {
    const message = sesMessage(submission.body);
    if (message.kind === 'composed') return (await this.emails.one(submission, message.request)).id;
    const finished = await finishedMessage(message.mime, message.recipients, this.clock.now());
    const { id } = await this.acceptEmails.submit(submission.principal, {
      ...finished,
      tags: [...(finished.tags ?? []), ...(message.tags ?? [])],
      idempotencyKey: submission.key ?? finished.idempotencyKey,
    });
    return id;
  }

  /** `SendBulkEmail`. Each entry has a result of its own, in the order of the request. */
  async sendBulk(submission: Submission): Promise<readonly SesBulkResult[]> {
    const items = sesBulk(submission.body);
    const { data, errors = [] } = await this.emails.several(submission, items, true);
    const faults = new Map(errors.map(({ index, message }) => [index, message]));
    const ids = data.values();
    return items.map((_, at) => {
      const fault = faults.get(at);
      if (fault !== undefined) return { Status: 'MESSAGE_REJECTED', Error: fault };
      return { Status: 'SUCCESS', MessageId: ids.next().value?.id ?? '' };
    });
  }
}
