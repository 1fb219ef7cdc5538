import { Injectable } from '@nestjs/common';
import { SenderVerdicts, ArrivedFacts } from './message-judge.port.js';

/** A message to an address of the service itself. */
export interface ServiceMessage {
  /** UUIDv7 of this arrival. */
  readonly id: string;
  /** Of all bytes: the same for a message that is sent again. */
  readonly digest: string;
  readonly recipient: string;
  /** Empty for the null sender. */
  readonly mailFrom: string;
  /** The network of the client, to which work is charged. */
  readonly network: string;
  /** The number of servers that the message has passed. */
  readonly hops: number;
  /** Whether it says that a program wrote it: a report, or an automatic answer (RFC 3834). */
  readonly isAutomatic: boolean;
  readonly facts: ArrivedFacts;
  readonly verdicts: SenderVerdicts;
  /** The bytes. The mailbox may move them. */
  readonly content: Uint8Array;
}

/**
 * Addresses of the service itself at the domains of teams, such as those for reports. Their mail is in no inbox. A
 * feature that has such addresses provides its mailbox in a module that every process with the inbound role has.
 */
export abstract class ServiceMailbox {
  /** Whether its mail goes on to somebody else. It is then scanned, and refused for its verdicts, like other mail. */
  readonly passesOn: boolean = false;

  constructor(mailboxes: ServiceMailboxes) {
    mailboxes.add(this);
  }

  /** Must be cheap: it is asked for each recipient of strangers' mail. */
  abstract accepts(recipient: string, mailFrom: string): Promise<boolean>;

  /**
   * Resolves once everything that follows from the message is durable. A DomainError refuses it. The same message may
   * come again, and must then change nothing.
   */
  abstract take(message: ServiceMessage): Promise<void>;
}

/** The mailboxes of all features of this process. */
@Injectable()
export class ServiceMailboxes {
  private readonly mailboxes: ServiceMailbox[] = [];

  add(mailbox: ServiceMailbox): void {
    this.mailboxes.push(mailbox);
  }

  async for(recipient: string, mailFrom: string): Promise<ServiceMailbox | undefined> {
    for (const mailbox of this.mailboxes) if (await mailbox.accepts(recipient, mailFrom)) return mailbox;
    return undefined;
  }
}
