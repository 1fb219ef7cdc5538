import { OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { StoredMessage } from '../../application/ports/message-store.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { contentIdOf, Email, EmailBody } from '../../domain/email.js';
import { decodeBody, encodeBody, mimePrefix, storedMime } from './stored-body.js';

const noBody = { html: null, text: null };

/** The contents to store with an accepted email. Shared content and large MIME messages are already stored. */
export function contentsOf({ email, body, attachmentContents, mime }: AcceptedEmail): StoredMessage[] {
  const attachments = attachmentContents.map(({ attachment, content }) => ({ id: attachment.id, bytes: content }));
  if (email.contentId !== null) return attachments;
  if (mime !== undefined) {
    return mime.bytes === undefined ? [] : [{ id: email.id, bytes: Buffer.concat([mimePrefix, mime.bytes]) }];
  }
  return [{ id: email.id, bytes: encodeBody(body) }, ...attachments];
}

/** The ids under which the contents of the emails are stored, each once. */
export function storedIdsOf(emails: readonly Email[]): string[] {
  const ids = emails.flatMap((email) => [contentIdOf(email), ...(email.attachments ?? []).map(({ id }) => id)]);
  return [...new Set(ids)];
}

/** Joins emails with their contents. Throws where a content is missing. */
export function outgoingEmails(emails: readonly Email[], contents: ReadonlyMap<string, Uint8Array>): OutgoingEmail[] {
  const bodies = new Map<string, EmailBody>();
  return emails.map((email) => outgoing(email, contents, bodies));
}

/**
 * Decodes shared bodies once. Contents are durable before their email, so a missing content means damaged data, and the
 * email must not be sent empty.
 */
function outgoing(
  email: Email,
  contents: ReadonlyMap<string, Uint8Array>,
  bodies: Map<string, EmailBody>,
): OutgoingEmail {
  const contentId = contentIdOf(email);
  const bytes = contents.get(contentId);
  if (bytes === undefined) throw new Error(`The content of email ${email.id} is missing from the message store`);
  const mime = storedMime(bytes);
  if (mime !== undefined) return { email, body: noBody, attachmentContents: new Map(), mime };
  const attachmentContents = new Map<string, Uint8Array>();
  for (const { id } of email.attachments ?? []) {
    const content = contents.get(id);
    if (content === undefined)
      throw new Error(`Attachment ${id} of email ${email.id} is missing from the message store`);
    attachmentContents.set(id, content);
  }
  const body = bodies.get(contentId) ?? decodeBody(bytes);
  bodies.set(contentId, body);
  return { email, body, attachmentContents };
}
