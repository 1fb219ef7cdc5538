import { inPieces, toResponse } from '#http/server';
import type { SignedLink } from '#emails';
import type { HtmlFormat } from '../../application/ports/received-contents.port.js';
import type { ReceivedWithBody } from '../../application/received-inbox.use-case.js';
import { plusTagOf, type ReceivedAttachment, type ReceivedEmail } from '../../domain/received-email.js';
import { shownVerdicts } from '../../domain/shown-verdicts.js';
import {
  ReceivedAttachmentResponse,
  ReceivedAttachmentSummaryResponse,
  ReceivedEmailSummaryResponse,
} from './received-email.response.js';

/** Larger bodies are sent in pieces. */
const maxWholeBytes = 256 * 1024;

export const receivedSummary = (email: ReceivedEmail): ReceivedEmailSummaryResponse =>
  toResponse(ReceivedEmailSummaryResponse, email, {
    bcc: orNull(email.bcc),
    cc: orNull(email.cc),
    reply_to: orNull(email.replyTo),
    received_for: [...email.recipients],
    authentication: shownVerdicts(email.verdicts),
    attachments: email.attachments.map((attachment) => toResponse(ReceivedAttachmentResponse, attachment)),
    plus_tag: email.recipients.map(plusTagOf).find((tag) => tag !== null) ?? null,
    spam_score: email.verdicts.spam?.score ?? null,
  });

/** The fields of a `ReceivedEmailResponse`, with large bodies as streams. */
export function receivedResponse(
  { email, body }: ReceivedWithBody,
  format: HtmlFormat,
  raw: SignedLink,
): Record<string, unknown> {
  return {
    object: 'email',
    ...receivedSummary(email),
    html: body.html === null ? null : textOf(body.html),
    html_format: body.html === null ? null : format,
    text: body.text === null ? null : textOf(body.text),
    headers: body.headers,
    raw: { download_url: raw.url, expires_at: raw.expiresAt.toISOString() },
    reply_text: body.replyText,
    envelope_from: email.mailFrom,
    size: email.size,
    verdicts: verdictsIn(email),
  };
}

export function attachmentSummary(
  attachment: ReceivedAttachment,
  { url, expiresAt }: SignedLink,
): ReceivedAttachmentSummaryResponse {
  const { contentDisposition, contentId } = attachment;
  return toResponse(
    ReceivedAttachmentSummaryResponse,
    { ...attachment, expiresAt },
    {
      content_disposition: contentDisposition ?? (contentId === null ? 'attachment' : 'inline'),
      download_url: url,
    },
  );
}

function verdictsIn({ verdicts }: ReceivedEmail): object {
  const { spf, dkim, dmarc, arc, fcrdns, spam, virus, automatic = null, depth = 0 } = verdicts;
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
    automatic,
    depth,
  };
}

function textOf(bytes: Uint8Array): unknown {
  return bytes.length > maxWholeBytes ? inPieces(bytes) : new TextDecoder().decode(bytes);
}

/** The clients' types have null here, and clients in Python read the key without asking for it. */
function orNull(texts: readonly string[]): string[] | null {
  return texts.length === 0 ? null : [...texts];
}
