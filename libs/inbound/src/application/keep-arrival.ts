import { ServiceNames } from '#domains';
import { newId } from '#kernel';
import { Quotas } from '#rate-limit';
import { TakenMessage } from '#smtp';
import { Injectable } from '@nestjs/common';
import { traceFields } from '../domain/trace-fields.js';
import { DecidedRecipient } from './decide-recipient.js';
import { JudgedArrival } from './judge-arrival.js';
import { SpooledContent } from './ports/content-spool.port.js';
import { MessageOrigin } from './ports/message-judge.port.js';
import { Arrival, ReceivedEmails } from './ports/received-emails.port.js';

export interface JudgedMail {
  readonly message: { readonly smtpUtf8: boolean; readonly localKey?: string };
  /** At least one. */
  readonly recipients: readonly DecidedRecipient[];
  readonly origin: MessageOrigin;
  readonly content: SpooledContent;
  readonly judged: JudgedArrival;
  readonly receivedAt: Date;
}

/** Stores a message that was judged: one email for each team among its recipients. */
@Injectable()
export class KeepArrival {
  private readonly hostName: string;

  constructor(
    private readonly received: ReceivedEmails,
    private readonly quotas: Quotas,
    names: ServiceNames,
  ) {
    this.hostName = names.hostsOf(names.regions[0] ?? '').host;
  }

  async execute(mail: JudgedMail): Promise<TakenMessage> {
    const { message, recipients, origin, content } = mail;
    const addresses = recipients.map(({ address }) => address).sort();
    const identity =
      message.localKey === undefined
        ? ['smtp', origin.mailFrom, ...addresses, content.digest]
        : ['local', message.localKey, ...addresses];
    const arrivals = byTeam(recipients).map((group, index) => this.arrivalOf(mail, group, index === 0));
    return this.received.accept({ identity, content, arrivals });
  }

  confirm(receipt: string): void {
    this.received.confirm(receipt);
  }

  /** The first email has the id of the content; the ids of all of them are of the same millisecond. */
  private arrivalOf(
    { message, origin, content, judged, receivedAt }: JudgedMail,
    recipients: readonly DecidedRecipient[],
    isFirst: boolean,
  ): Arrival {
    const { authors: _, threadId, ...facts } = judged.facts;
    const { verdicts } = judged;
    const { client, mailFrom } = origin;
    const [{ teamId, domainId, address }] = recipients as [DecidedRecipient];
    const id = isFirst ? content.id : newId(receivedAt.getTime());
    const onlyRecipient = recipients.length === 1 ? address : undefined;
    const { smtpUtf8 } = message;
    const { hostName } = this;
    return {
      email: {
        ...facts,
        ...{ id, teamId, domainId, contentId: content.id, createdAt: receivedAt, size: content.size, mailFrom },
        recipients: recipients.map((recipient) => recipient.address),
        threadId: threadId ?? id,
        client,
        verdicts,
        isAboveQuota: this.quotas.isBeyond(teamId, 1),
        trace: traceFields({ hostName, id, client, mailFrom, smtpUtf8, receivedAt, verdicts, onlyRecipient }),
      },
      announce: recipients.some(({ announce }) => announce),
      act: recipients.some(({ act }) => act),
    };
  }
}

function byTeam(recipients: readonly DecidedRecipient[]): DecidedRecipient[][] {
  const groups = new Map<string, DecidedRecipient[]>();
  for (const recipient of recipients) {
    const group = groups.get(recipient.teamId);
    if (group === undefined) groups.set(recipient.teamId, [recipient]);
    else group.push(recipient);
  }
  return [...groups.values()];
}
