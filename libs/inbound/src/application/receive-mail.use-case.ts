import { ServiceNames } from '#domains';
import { Clock, newId } from '#kernel';
import { Quotas } from '#rate-limit';
import { ArrivingContent, ArrivingMessage, ReceivedMail, MailRefusal, TakenMessage, Visitor } from '#smtp';
import { Injectable } from '@nestjs/common';
import { automaticReason } from '../domain/automatic-mail.js';
import { ReceivingPolicy, refusalFor } from '../domain/receiving-policy.js';
import { traceFields } from '../domain/trace-fields.js';
import { Verdicts } from '../domain/verdicts.js';
import { ContentSpool, SpooledContent } from './content-spool.js';
import { DecideRecipient, ServiceRecipient, TeamRecipient } from './decide-recipient.js';
import {
  ArrivedFacts,
  JudgedMessage,
  MessageJudge,
  MessageOrigin,
  PendingJudgement,
} from './ports/message-judge.port.js';
import { ArrivedEmail, ReceivedEmails } from './ports/received-emails.port.js';
import { ScanArrival } from './scan-arrival.js';

/** A message that has passed more servers is in a loop (RFC 5321 section 6.3). */
const maxHops = 50;

export interface InboundMessage extends ArrivingMessage {
  /** The delivery of this service that hands the message over, the same on every attempt. Undefined for other servers. */
  readonly localKey?: string;
}

/** A message whose header has arrived. */
interface Arrival {
  /** UUIDv7 of the content, and of its first email. */
  readonly id: string;
  readonly receivedAt: Date;
  readonly message: InboundMessage;
  readonly origin: MessageOrigin;
  readonly header: Uint8Array;
  readonly pending: PendingJudgement;
}

interface JudgedArrival {
  readonly facts: ArrivedFacts;
  readonly verdicts: Verdicts;
}

/**
 * Mail is received, from other servers and from this one:
 *
 *     decide    at RCPT: refuses the recipient, or says for whom it is. The look-ups about the client begin.
 *     receive   at DATA, until the 250: reads the header, and then goes one of three ways.
 *     confirm   at the next command: the client has read the 250, and equal bytes are a new message from now on.
 *
 * The three ways of a message:
 *
 *     for teams     spool → judge and scan → keep: one email for each team, durable before the 250. Routes that forward it or hand it
 *                   over run after the commit (`RunReceivedActions`).
 *     for mailboxes addresses of the service itself, such as those for reports: spool → judge → the mailbox takes it. It is in no inbox.
 *     for nobody    routes drop it at every recipient: it is read to its end.
 *
 * A message is judged before its sender gets the reply: later, a refusal would be a bounce to a stranger.
 */
@Injectable()
export class ReceiveMail extends ReceivedMail {
  private readonly hostName: string;

  // oxlint-disable-next-line max-params -- One story: what its steps need, from RCPT to the durable commit.
  constructor(
    private readonly decideRecipient: DecideRecipient,
    private readonly judge: MessageJudge,
    private readonly spool: ContentSpool,
    private readonly scanArrival: ScanArrival,
    private readonly policy: ReceivingPolicy,
    private readonly received: ReceivedEmails,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
    names: ServiceNames,
  ) {
    super();
    this.hostName = names.hostsOf(names.regions[0] ?? '').host;
  }

  async decide(
    visitor: Visitor,
    mailFrom: string,
    recipient: { readonly address: string; readonly domain: string },
  ): Promise<ServiceRecipient | TeamRecipient | undefined> {
    const decided = await this.decideRecipient.decide(mailFrom, recipient);
    if (decided !== undefined) this.judge.anticipate(originOf({ visitor, mailFrom }));
    return decided;
  }

  /** The same for mail of this service to its own domains: its addresses take reports of other servers only. */
  decideLocal(
    mailFrom: string,
    recipient: { readonly address: string; readonly domain: string },
  ): Promise<TeamRecipient | undefined> {
    return this.decideRecipient.decideForTeam(mailFrom, recipient);
  }

  async receive(message: InboundMessage): Promise<TakenMessage> {
    const recipients = message.recipients as readonly (ServiceRecipient | TeamRecipient)[];
    const ofService = recipients.filter((recipient) => recipient.isOfService === true);
    const ofTeams = recipients.filter((recipient) => recipient.isOfService !== true);
    if (ofService.length > 0 && ofTeams.length > 0) {
      throw new MailRefusal(554, '5.5.0', 'Send mail to addresses for reports in a transaction of its own');
    }
    const arrival = await this.begin(message);
    return ofService.length > 0 ? this.receiveForMailboxes(arrival, ofService) : this.receiveForTeams(arrival, ofTeams);
  }

  confirm(receipt: string): Promise<void> {
    return this.received.confirm(receipt);
  }

  /** Reads the header, with which the look-ups begin, so that they run while the content arrives. */
  private async begin(message: InboundMessage): Promise<Arrival> {
    const receivedAt = this.clock.now();
    const id = newId(receivedAt.getTime());
    const origin = originOf(message);
    const header = await message.content.header();
    return { id, receivedAt, message, origin, header, pending: this.judge.begin(origin, header) };
  }

  private async receiveForTeams(arrival: Arrival, recipients: readonly TeamRecipient[]): Promise<TakenMessage> {
    const { id, message, header, pending } = arrival;
    if (pending.hops > maxHops) throw new MailRefusal(554, '5.4.6', 'The message has passed too many servers: a loop');
    const kept = recipients.filter(({ discard }) => !discard);
    if (kept.length === 0) return this.discard(arrival);
    const content = await this.spool.take(id, withHeader(message.content, header.length, pending.header));
    try {
      const judged = await this.judgeAndScan(arrival, content, kept);
      return await this.keep(arrival, content, judged, kept);
    } finally {
      this.spool.release(content);
    }
  }

  private async receiveForMailboxes(arrival: Arrival, recipients: readonly ServiceRecipient[]): Promise<TakenMessage> {
    const { id, message, origin } = arrival;
    const { network, mailFrom } = origin;
    const { hops, automatic } = arrival.pending;
    const isAutomatic = automatic !== null;
    const content = await this.spool.take(id, message.content.all());
    try {
      const { facts, verdicts } = recipients.some(({ mailbox }) => mailbox.passesOn)
        ? await this.judgeAndScan(arrival, content, recipients)
        : await this.judged(arrival, content);
      const judged = { id, digest: content.digest, facts, verdicts, hops, isAutomatic, mailFrom, network };
      for (const { address, mailbox } of recipients) {
        await this.withBytes(content, network, (bytes) =>
          mailbox.take({ ...judged, recipient: address, content: bytes }),
        );
      }
      return { id, receipt: undefined };
    } finally {
      this.spool.release(content);
    }
  }

  private async discard({ id, message }: Arrival): Promise<TakenMessage> {
    for await (const _ of message.content.all());
    return { id, receipt: undefined };
  }

  /** Throws the refusal of a message that must not be accepted. */
  private async judgeAndScan(
    arrival: Arrival,
    content: SpooledContent,
    recipients: readonly { readonly address: string; readonly teamId?: string }[],
  ): Promise<JudgedArrival> {
    const { id, size } = content;
    const { client, mailFrom, network, isLocal } = arrival.origin;
    const addresses = recipients.map(({ address }) => address);
    const message = { id, client, mailFrom, recipients: addresses, size, read: () => this.spool.read(content) };
    const teams = new Set(recipients.flatMap(({ teamId }) => (teamId === undefined ? [] : `team ${teamId}`)));
    const [{ facts, verdicts: ofSender }, scanned] = await Promise.all([
      this.judged(arrival, content),
      this.scanArrival.scan(message, isLocal ? [...teams] : [...teams, `network ${network}`]),
    ]);
    const { automatic: field, depth } = arrival.pending;
    const automatic = automaticReason(field, mailFrom, facts.from, facts.subject);
    const verdicts: Verdicts = {
      ...ofSender,
      ...scanned,
      ...(automatic !== null && { automatic }),
      ...(depth > 0 && { depth }),
    };
    const refusal = refusalFor(verdicts, this.policy.refusals);
    if (refusal !== undefined) throw new MailRefusal(550, refusal.enhancedCode, refusal.text);
    return { facts, verdicts };
  }

  private judged({ origin, pending }: Arrival, content: SpooledContent): Promise<JudgedMessage> {
    return this.withBytes(content, origin.network, (bytes) => pending.finish(content.id, bytes));
  }

  /** Calls `use` with a copy of the bytes, which it may move. */
  private async withBytes<Result>(
    content: SpooledContent,
    network: string,
    use: (bytes: Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    const loaded = await this.spool.load(content, network);
    try {
      return await use(loaded.bytes);
    } finally {
      loaded.release();
    }
  }

  /** Stores the message durably: one email for each team among its recipients. */
  private async keep(
    arrival: Arrival,
    content: SpooledContent,
    judged: JudgedArrival,
    recipients: readonly TeamRecipient[],
  ): Promise<TakenMessage> {
    const { message, origin } = arrival;
    const addresses = recipients.map(({ address }) => address).sort();
    // Without a Message-ID equal bytes may be two messages, and one too many is better than one that is lost.
    const only = judged.facts.messageId === '' ? [content.id] : [];
    const identity =
      message.localKey === undefined
        ? ['smtp', origin.mailFrom, ...addresses, content.digest, ...only]
        : ['local', message.localKey, ...addresses];
    const arrivals = byTeam(recipients).map((group, index) =>
      // The first email has the id of the content; the ids of all of them are of the same millisecond.
      this.emailOf(index === 0 ? content.id : newId(arrival.receivedAt.getTime()), arrival, content, judged, group),
    );
    return this.received.accept({ identity, content, arrivals });
  }

  private emailOf(
    id: string,
    { message, origin, receivedAt }: Arrival,
    content: SpooledContent,
    { facts: { authors: _, threadId, threadKeys, ...facts }, verdicts }: JudgedArrival,
    recipients: readonly TeamRecipient[],
  ): ArrivedEmail {
    const { client, mailFrom } = origin;
    const [{ teamId, domainId, address }] = recipients as [TeamRecipient];
    const trace = {
      hostName: this.hostName,
      id,
      client,
      mailFrom,
      smtpUtf8: message.smtpUtf8,
      receivedAt,
      verdicts,
      onlyRecipient: recipients.length === 1 ? address : undefined,
    };
    return {
      email: {
        ...facts,
        id,
        teamId,
        domainId,
        contentId: content.id,
        createdAt: receivedAt,
        size: content.size,
        mailFrom,
        recipients: recipients.map((recipient) => recipient.address),
        threadId: threadId ?? id,
        client,
        verdicts,
        isAboveQuota: this.quotas.isBeyond({ teamId, messages: 1 }),
        trace: traceFields(trace),
      },
      threadKeys,
      announce: recipients.some(({ announce }) => announce),
      act: recipients.some(({ act }) => act),
    };
  }
}

function byTeam(recipients: readonly TeamRecipient[]): TeamRecipient[][] {
  const groups = new Map<string, TeamRecipient[]>();
  for (const recipient of recipients) {
    const group = groups.get(recipient.teamId);
    if (group === undefined) groups.set(recipient.teamId, [recipient]);
    else group.push(recipient);
  }
  return [...groups.values()];
}

/** The content with another header. */
async function* withHeader(
  content: ArrivingContent,
  headerLength: number,
  header: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let skip = headerLength;
  if (header.length > 0) yield header;
  for await (const chunk of content.all()) {
    const rest = skip < chunk.length ? chunk.subarray(skip) : undefined;
    skip -= Math.min(skip, chunk.length);
    if (rest !== undefined) yield rest;
  }
}

function originOf({
  visitor,
  mailFrom,
  localKey,
}: Pick<InboundMessage, 'visitor' | 'mailFrom' | 'localKey'>): MessageOrigin {
  const { address, helo, tls, network } = visitor;
  return { client: { address, helo, tls }, network, mailFrom, isLocal: localKey !== undefined };
}
