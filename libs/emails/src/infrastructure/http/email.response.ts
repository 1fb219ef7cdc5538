import { toResponse } from '#http/server';
import { ReadableText } from '../../application/ports/email-contents.port.js';
import { ReadableEmail } from '../../application/read-emails.query.js';
import { Email } from '../../domain/email.js';
import { EmailResponse, EmailSummaryResponse } from './responses.js';

/** One email in a list (docs/wire-contract.md section 7.4). */
export const emailSummary = (email: Email): EmailSummaryResponse =>
  toResponse(EmailSummaryResponse, email, {
    bcc: copied(email.bcc),
    cc: copied(email.cc),
    reply_to: copied(email.replyTo),
  });

/** An `EmailResponse` whose large bodies are streams instead of strings. */
export type ReadableEmailResponse = Omit<EmailResponse, 'html' | 'text'> & {
  readonly html: ReadableText | null;
  readonly text: ReadableText | null;
};

/** One email with its body. */
export function emailResponse({ email, body }: ReadableEmail): ReadableEmailResponse {
  return {
    object: 'email',
    ...emailSummary(email),
    html: body.html,
    text: body.text,
    ...(email.tags === null ? {} : { tags: [...email.tags] }),
    topic_id: email.topicId,
  };
}

function copied(texts: readonly string[] | null): string[] | null {
  return texts === null ? null : [...texts];
}
