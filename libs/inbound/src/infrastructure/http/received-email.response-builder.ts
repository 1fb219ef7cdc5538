import { inPieces } from '#platform/http';
import type { SignedLink } from '#emails';
import type { HtmlFormat } from '../../application/ports/received-contents.port.js';
import type { ReceivedWithBody } from '../../application/read-received.query.js';
import { plusTagOf } from '../../domain/plus-tag.js';
import type { ReceivedAttachment, ReceivedEmail } from '../../domain/received-email.js';
import { shownVerdicts } from '../../domain/shown-verdicts.js';
import type { ReceivedAttachmentSummaryResponse, ReceivedEmailSummaryResponse } from './received-email.response.js';

/** Larger bodies are sent in pieces. */
const maxWholeBytes = 256 * 1024;

export function receivedSummary(email: ReceivedEmail): ReceivedEmailSummaryResponse {
  return {
    id: email.id,
    to: [...email.to],
    from: email.from,
    created_at: email.createdAt.toISOString(),
    subject: email.subject,
    bcc: orAbsent(email.bcc),
    cc: orAbsent(email.cc),
    reply_to: orAbsent(email.replyTo),
    received_for: [...email.recipients],
    authentication: shownVerdicts(email.verdicts),
    message_id: email.messageId,
    attachments: email.attachments.map(attachmentIn),
    thread_id: email.threadId,
    plus_tag: email.recipients.map(plusTagOf).find((tag) => tag !== null) ?? undefined,
    spam_score: email.verdicts.spam?.score,
  };
}

/** The fields of a `ReceivedEmailResponse`, with large bodies as streams. */
export function receivedResponse(
  { email, body }: ReceivedWithBody,
  format: HtmlFormat,
  raw: SignedLink,
): Record<string, unknown> {
  return {
    object: 'email',
    ...receivedSummary(email),
    html: body.html === null ? undefined : textOf(body.html),
    html_format: body.html === null ? undefined : format,
    text: body.text === null ? undefined : textOf(body.text),
    headers: body.headers,
    raw: { download_url: raw.url, expires_at: raw.expiresAt.toISOString() },
    reply_text: body.replyText ?? undefined,
    envelope_from: email.mailFrom,
    size: email.size,
    verdicts: verdictsIn(email),
  };
}

export function attachmentSummary(
  attachment: ReceivedAttachment,
  { url, expiresAt }: SignedLink,
): ReceivedAttachmentSummaryResponse {
  const { contentDisposition, contentId, size, ...rest } = attachment;
  return {
    id: rest.id,
    filename: rest.filename ?? undefined,
    size,
    content_type: rest.contentType,
    content_disposition: contentDisposition ?? (contentId === null ? 'attachment' : 'inline'),
    content_id: contentId ?? undefined,
    detected_type: rest.detectedType ?? undefined,
    download_url: url,
    expires_at: expiresAt.toISOString(),
  };
}

function attachmentIn(attachment: ReceivedAttachment): ReceivedEmailSummaryResponse['attachments'][number] {
  return {
    id: attachment.id,
    filename: attachment.filename ?? undefined,
    size: attachment.size,
    content_type: attachment.contentType,
    content_id: attachment.contentId ?? undefined,
    content_disposition: attachment.contentDisposition ?? undefined,
    detected_type: attachment.detectedType ?? undefined,
  };
}

function verdictsIn({ verdicts }: ReceivedEmail): object {
  const { spf, dkim, dmarc, arc, fcrdns, spam, virus } = verdicts;
  const shownSpam = spam && {
    score: spam.score,
    required_score: spam.requiredScore,
    is_spam: spam.isSpam,
    symbols: spam.symbols,
  };
  return {
    spf,
    dkim,
    dmarc: { ...dmarc, alignedBy: undefined, aligned_by: dmarc.alignedBy },
    arc,
    fcrdns,
    spam: shownSpam,
    virus,
  };
}

function textOf(bytes: Uint8Array): unknown {
  return bytes.length > maxWholeBytes ? inPieces(bytes) : new TextDecoder().decode(bytes);
}

function orAbsent(texts: readonly string[]): string[] | undefined {
  return texts.length === 0 ? undefined : [...texts];
}
