import { Clock, newId } from '#kernel';
import { ArrivingContent, ArrivingMessage, InboundMail, MailRefusal, TakenMessage, Visitor } from '#smtp';
import { Injectable } from '@nestjs/common';
import { DecidedRecipient, DecideRecipient } from './decide-recipient.js';
import { JudgeArrival } from './judge-arrival.js';
import { KeepArrival } from './keep-arrival.js';
import { ContentSpool } from './ports/content-spool.port.js';
import { MessageJudge, MessageOrigin } from './ports/message-judge.port.js';

/** A message that has passed more servers is in a loop (RFC 5321 section 6.3). */
const maxHops = 50;

export interface InboundMessage extends ArrivingMessage {
  /** The delivery of this service that hands the message over, the same on every attempt. Undefined for other servers. */
  readonly localKey?: string;
}

/** Receives mail for the domains of teams, from other servers and from this one. */
@Injectable()
export class ReceiveMail extends InboundMail {
  constructor(
    private readonly decideRecipient: DecideRecipient,
    private readonly judge: MessageJudge,
    private readonly judgeArrival: JudgeArrival,
    private readonly spool: ContentSpool,
    private readonly keepArrival: KeepArrival,
    private readonly clock: Clock,
  ) {
    super();
  }

  async decide(
    visitor: Visitor,
    mailFrom: string,
    recipient: { readonly address: string; readonly domain: string },
  ): Promise<DecidedRecipient | undefined> {
    const decided = await this.decideRecipient.execute(mailFrom, recipient);
    if (decided !== undefined) this.judge.anticipate(originOf({ visitor, mailFrom }));
    return decided;
  }

  async receive(message: InboundMessage): Promise<TakenMessage> {
    const receivedAt = this.clock.now();
    const id = newId(receivedAt.getTime());
    const kept = (message.recipients as readonly DecidedRecipient[]).filter(({ discard }) => !discard);
    const header = await message.content.header();
    const origin = originOf(message);
    const pending = this.judge.begin(origin, header);
    if (pending.hops > maxHops) throw new MailRefusal(554, '5.4.6', 'The message has passed too many servers: a loop');
    if (kept.length === 0) return this.discard(id, message.content);
    const content = await this.spool.take(id, withHeader(message.content, header.length, pending.header));
    try {
      const judged = await this.judgeArrival.execute(pending, content, origin, kept);
      return await this.keepArrival.execute({ message, recipients: kept, origin, content, judged, receivedAt });
    } finally {
      this.spool.release(content);
    }
  }

  confirm(receipt: string): void {
    this.keepArrival.confirm(receipt);
  }

  private async discard(id: string, content: ArrivingContent): Promise<TakenMessage> {
    for await (const _ of content.all());
    return { id, receipt: undefined };
  }
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
