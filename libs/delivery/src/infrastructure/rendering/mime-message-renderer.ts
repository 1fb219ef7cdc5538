import { addressesOf, depthField, isDroppedField, lowerDepthField, OutgoingEmail } from '#emails';
import { Domain, returnPathHost, SendingDomains, SigningKey, trackingHost } from '#domains';
import { parseMailbox, whenKnown } from '#kernel';
import type { Mailbox, MaybePromise, Text } from '#kernel';
import { MailTracking } from '#tracking';
import type { Personal, TrackedMail } from '#tracking';
import { MailUnsubscribe } from '#unsubscribe';
import {
  type ComposableMessage,
  composeMessage,
  DkimKey,
  finishMessage,
  htmlToText,
  parseDkimKey,
  type SigningOptions,
  signMessage,
} from '#mime';
import { Injectable } from '@nestjs/common';
import { UndeliverableError } from '../../domain/attempt.js';
import { Envelope, MessageRenderer, RenderedContent } from '../../application/ports/message-renderer.port.js';

/**
 * Number of parsed keys that are cached: parsing a PEM costs a tenth of a signature. A key id never changes its key.
 */
const maxParsedKeys = 10_000;
/** Space reserved for a signature. A longer signature costs a copy of the message. */
const maxSignatureBytes = 1_024;

/** A message that is to be signed, with what is known of it. */
export interface Composed extends SigningOptions {
  readonly bytes: Uint8Array;
}

@Injectable()
export class MimeMessageRenderer extends MessageRenderer {
  private readonly parsedKeys = new Map<string, DkimKey>();

  constructor(
    private readonly domains: SendingDomains,
    private readonly tracking: MailTracking,
    private readonly unsubscribe: MailUnsubscribe,
  ) {
    super();
  }

  envelope(domainId: string): MaybePromise<Envelope> {
    return whenKnown(this.domain(domainId), (domain) => ({
      returnPathHost: returnPathHost(domain),
      tls: tlsOf(domain),
      mayBePersonal: trackingHost(domain) !== undefined,
    }));
  }

  render(outgoing: OutgoingEmail): MaybePromise<RenderedContent> {
    const { email, mime } = outgoing;
    return whenKnown(this.domain(email.domainId), (domain) =>
      // What was received is passed on as it is: its own signatures must stay valid.
      email.forwardedFrom != null && mime !== undefined
        ? mime
        : whenKnown(this.domains.signingKeys(domain.id), (keys) => this.signed(outgoing, domain, keys)),
    );
  }

  private signed(outgoing: OutgoingEmail, domain: Domain, keys: readonly SigningKey[]): MaybePromise<RenderedContent> {
    const { email } = outgoing;
    if (keys.length === 0) throw new Error(`the domain ${domain.name} has no signing key`);
    const parsed = keys.map((key) => this.parsed(key));
    const tracked = this.tracking.of(domain, email);
    const headRoom = parsed.length * maxSignatureBytes;
    const sign = (composed: Composed): Promise<Uint8Array> => signMessage(composed.bytes, parsed, composed);
    const personal =
      this.unsubscribable(outgoing, domain, tracked, headRoom) ?? this.personalContent(outgoing, tracked, headRoom);
    if (personal !== undefined) return async (recipientNo) => sign(await personal(recipientNo));
    if (outgoing.mime !== undefined) return sign({ bytes: finish(outgoing.mime, email) });
    return whenKnown(this.compose(outgoing, headRoom), sign);
  }

  /** Writes the MIME message, with free bytes in front of it. */
  protected compose(outgoing: OutgoingEmail, headRoom: number): MaybePromise<Composed> {
    return { bytes: composeMessage(messageOf(outgoing), headRoom), headRoom };
  }

  /**
   * Content with each recipient's own link to unsubscribe, for mail of a topic and mail that asks for the link.
   * Undefined for all other mail. A List-Unsubscribe field of the sender's own takes precedence over ours.
   */
  private unsubscribable(
    outgoing: OutgoingEmail,
    domain: Domain,
    tracked: TrackedMail | undefined,
    headRoom: number,
  ): Personal<MaybePromise<Composed>> | undefined {
    const { email, bodyFor, mime } = outgoing;
    if (mime !== undefined || (email.topicId === null && bodyFor === undefined)) return undefined;
    const { teamId, topicId, headers } = email;
    const hasOwn = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'list-unsubscribe');
    const addresses = addressesOf(email);
    return (recipientNo) => {
      const address = addresses[recipientNo] ?? '';
      const offer = this.unsubscribe.offer(domain, { teamId, topicId, address, emailId: email.id });
      const copy = {
        ...outgoing,
        email: hasOwn ? email : { ...email, headers: { ...headers, ...offer.headers } },
        body: bodyFor?.(offer.url) ?? outgoing.body,
      };
      return this.personalContent(copy, tracked, headRoom)?.(recipientNo) ?? this.compose(copy, headRoom);
    };
  }

  /**
   * Undefined if all recipients get the same content. The links of the text part are not tracked: they lead to the
   * sender's own URLs.
   */
  private personalContent(
    outgoing: OutgoingEmail,
    tracked: TrackedMail | undefined,
    headRoom: number,
  ): Personal<MaybePromise<Composed>> | undefined {
    if (tracked === undefined) return undefined;
    const { email, body, mime } = outgoing;
    if (mime !== undefined) {
      const message = tracked.message(finish(mime, email));
      return message && ((recipientNo) => ({ bytes: message(recipientNo) }));
    }
    const html = body.html === null ? undefined : tracked.html(body.html.toString(), email.headers);
    if (html === undefined) return undefined;
    const text = textPart(body.html, body.text) ?? '';
    return (recipientNo) => this.compose({ ...outgoing, body: { html: html(recipientNo), text } }, headRoom);
  }

  private domain(id: string): MaybePromise<Domain> {
    return whenKnown(this.domains.findById(id), (domain) => {
      if (domain === undefined) throw new UndeliverableError('domain_deleted', 'The sending domain was deleted');
      return domain;
    });
  }

  private parsed(key: SigningKey): DkimKey {
    const known = this.parsedKeys.get(key.id);
    if (known !== undefined) return known;
    const parsed = parseDkimKey({
      domain: key.domainName,
      selector: key.selector,
      algorithm: key.algorithm,
      privateKey: key.privateKey,
    });
    if (this.parsedKeys.size >= maxParsedKeys) this.parsedKeys.clear();
    this.parsedKeys.set(key.id, parsed);
    return parsed;
  }
}

/**
 * Sends a message that was submitted as MIME unchanged, except for fields that must not leave and fields that every
 * message must have.
 */
function finish(mime: Uint8Array, { messageId, createdAt, headers }: OutgoingEmail['email']): Uint8Array {
  const depth = headers?.[depthField];
  if (depth === undefined) return finishMessage(mime, { isDropped: isDroppedField, messageId, date: createdAt });
  // The depth that the message came with has been counted.
  const isDropped = (name: string): boolean => name === lowerDepthField || isDroppedField(name);
  const counted = finishMessage(mime, { isDropped, messageId, date: createdAt });
  return Buffer.concat([Buffer.from(`${depthField}: ${depth}\r\n`), counted]);
}

export function messageOf({ email, body, attachmentContents }: OutgoingEmail): ComposableMessage {
  return {
    from: mailbox(email.from),
    to: email.to.map(mailbox),
    cc: email.cc?.map(mailbox),
    replyTo: email.replyTo?.map(mailbox),
    subject: email.subject,
    // Filters hold a date against a message that is days old when it arrives.
    date: email.scheduledAt ?? email.createdAt,
    messageId: email.messageId,
    headers: Object.entries(email.headers ?? {}),
    html: body.html?.toString(),
    text: textPart(body.html, body.text),
    attachments: email.attachments?.map((attachment) => ({
      filename: attachment.filename ?? undefined,
      contentType: attachment.contentType,
      contentId: attachment.contentId ?? undefined,
      content: attachmentContents.get(attachment.id) ?? new Uint8Array(),
    })),
  };
}

/** An absent text part is derived from the HTML. An empty string means: no text part. */
function textPart(html: Text | null, text: Text | null): string | undefined {
  if (text === '') return undefined;
  return text?.toString() ?? (html === null ? undefined : htmlToText(html.toString()));
}

function mailbox(text: string): Mailbox {
  const parsed = parseMailbox(text);
  if (parsed === undefined) throw new Error('a stored mailbox cannot be read');
  return parsed;
}

/** `opportunistic` unless the domain requires `enforced`. */
function tlsOf(domain: Domain & { readonly tls?: string }): Envelope['tls'] {
  return domain.tls === 'enforced' ? 'enforced' : 'opportunistic';
}
