import { timestamp } from '#platform/http';
import { ReadableEmail } from '../../application/read-emails.query.js';
import { Email } from '../../domain/email.js';

/** One email in a list (docs/wire-contract.md section 7.4). */
export function emailSummary(email: Email): Record<string, unknown> {
  return {
    id: email.id,
    message_id: email.messageId,
    to: email.to,
    from: email.from,
    created_at: timestamp(email.createdAt),
    subject: email.subject,
    bcc: email.bcc,
    cc: email.cc,
    reply_to: email.replyTo,
    last_event: email.lastEvent,
    scheduled_at: email.scheduledAt === null ? null : timestamp(email.scheduledAt),
  };
}

/** One email with its body, which may be too large for strings. */
export function emailResponse({ email, body }: ReadableEmail): Record<string, unknown> {
  return {
    object: 'email',
    ...emailSummary(email),
    html: body.html,
    text: body.text,
    ...(email.tags === null ? {} : { tags: email.tags }),
    topic_id: email.topicId,
  };
}
