import { ReceivedEmail } from './received-email.js';

/** The `data` of `email.received` (docs/wire-contract.md section 22.4): what it is, and none of its content. */
export function receivedEventData(email: ReceivedEmail): object {
  return {
    email_id: email.id,
    created_at: email.createdAt.toISOString(),
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    received_for: email.recipients,
    message_id: email.messageId,
    subject: email.subject,
    thread_id: email.threadId,
    attachments: email.attachments.map(({ id, filename, contentType, contentDisposition, contentId }) => ({
      id,
      filename: filename ?? undefined,
      content_type: contentType,
      content_disposition: contentDisposition ?? undefined,
      content_id: contentId ?? undefined,
    })),
  };
}
