import { formatMailbox, Mailbox, newId } from '#kernel';
import { AcceptedEmail, EnvelopeRecipient, Sender } from './accepted-email.js';
import { CompleteDraft, Draft } from './draft.js';
import { Attachment } from './email.js';

/** Makes the email of a draft. Its ids contain the time `now`. */
export function composedEmail(
  sender: Sender,
  draft: CompleteDraft,
  recipients: readonly EnvelopeRecipient[],
  now: Date,
): AcceptedEmail {
  const id = newId(now.getTime());
  const attachmentContents = draft.attachments.map(({ content, filename, contentType, contentId }) => ({
    attachment: {
      id: newId(now.getTime()),
      filename: filename ?? null,
      contentType,
      contentId: contentId ?? null,
      size: content.length,
    } satisfies Attachment,
    content,
  }));
  return {
    region: sender.region,
    email: {
      id,
      teamId: sender.teamId,
      domainId: sender.domainId,
      actor: sender.actor,
      messageId: messageIdOf(draft, id),
      from: formatMailbox(draft.from),
      to: draft.to.map(formatMailbox),
      cc: mailboxesOrNull(draft.cc),
      bcc: mailboxesOrNull(draft.bcc),
      replyTo: mailboxesOrNull(draft.replyTo),
      subject: draft.subject,
      headers: draft.headers,
      tags: draft.tags,
      attachments: attachmentContents.length === 0 ? null : attachmentContents.map(({ attachment }) => attachment),
      topicId: draft.topicId,
      tracking: draft.tracking,
      scheduledAt: draft.scheduledAt,
      contentId: null,
      mergeValues: null,
      lastEvent: draft.scheduledAt === null ? 'sent' : 'scheduled',
      createdAt: now,
      size: draft.size,
    },
    body: { html: draft.html, text: draft.text },
    recipients,
    attachmentContents,
  };
}

/** Returns the sender's own Message-ID if the headers have a usable one. */
function messageIdOf(draft: Draft, id: string): string {
  const [, given] = Object.entries(draft.headers ?? {}).find(([name]) => name.toLowerCase() === 'message-id') ?? [];
  return given !== undefined && /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/.test(given)
    ? given
    : `<${id}@${draft.from.domain}>`;
}

function mailboxesOrNull(mailboxes: readonly Mailbox[]): string[] | null {
  return mailboxes.length === 0 ? null : mailboxes.map(formatMailbox);
}
