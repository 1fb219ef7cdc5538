import { fingerprintOf } from '#idempotency';
import { Principal } from '#identity';
import { Clock, newId, storableText } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail, envelopeOfAddresses } from '../domain/accepted-email.js';
import { AcceptEmails } from './accept-emails.use-case.js';
import { MimeSpool } from './mime-spool.js';
import { RoomForMail } from './ports/message-store.port.js';

/** A received message to pass on. */
export interface ForwardRequest {
  readonly teamId: string;
  /** The domain of the team that received it, and its region. */
  readonly domainId: string;
  readonly region: string;
  /** Id of the received email. */
  readonly receivedId: string;
  /** Valid addresses, at least one. */
  readonly recipients: readonly string[];
  /** The envelope sender; empty for the null sender. Undefined: a return path of this service for each recipient. */
  readonly mailFrom: string | undefined;
  /** What the message says of itself, to be shown. */
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  /** The same for all attempts to pass on this message, and for no other. */
  readonly key: string;
  /** The bytes that leave, the added header fields included. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Passes a received message on. It waits for delivery like any other mail, and leaves byte for byte as given: it is neither
 * finished, tracked nor signed, so that the signatures of its author stay valid.
 */
@Injectable()
export class ForwardMail {
  constructor(
    private readonly spool: MimeSpool,
    private readonly acceptEmails: AcceptEmails,
    private readonly room: RoomForMail,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the email is durable. The same key again gets the id of the first email. */
  async forward(request: ForwardRequest): Promise<{ readonly id: string }> {
    this.room.check();
    const { teamId, recipients } = request;
    // A hash: the key names an address, and an erasure does not reach keys.
    const key = Buffer.from(fingerprintOf(request.key)).toString('hex');
    const fingerprint = fingerprintOf({ recipients: [...recipients].sort() });
    const idempotent = { teamId, endpoint: 'FORWARD', key, fingerprint };
    return this.acceptEmails.acceptSpooled(Principal.ofService(teamId), idempotent, () => this.prepare(request));
  }

  private async prepare(request: ForwardRequest): Promise<AcceptedEmail> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const mime = await this.spool.take(id, request.content);
    return {
      region: request.region,
      email: {
        id,
        teamId: request.teamId,
        domainId: request.domainId,
        actor: { kind: 'service' },
        messageId: storableText(request.messageId),
        from: storableText(request.from),
        to: request.to.map(storableText),
        cc: null,
        bcc: request.recipients,
        replyTo: null,
        subject: storableText(request.subject),
        headers: null,
        tags: null,
        attachments: null,
        topicId: null,
        tracking: null,
        scheduledAt: null,
        contentId: null,
        mergeValues: null,
        forwardedFrom: request.receivedId,
        lastEvent: 'sent',
        createdAt: now,
        size: mime.size,
      },
      body: { html: null, text: null },
      recipients: envelopeOfAddresses(request.recipients),
      attachmentContents: [],
      mime,
      mailFrom: request.mailFrom,
    };
  }
}
