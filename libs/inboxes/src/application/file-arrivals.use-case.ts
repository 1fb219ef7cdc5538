import { ReceivedContents, ReceivedEmails } from '#inbound';
import type { ReceivedEmail } from '#inbound';
import { TeamEvent, TeamEvents } from '#events';
import { changeCount, Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Inbox } from '../domain/inbox.js';
import { inboxEvent } from '../domain/inbox-events.js';
import { InboxArrival, ArrivalQueue } from './ports/arrival-queue.port.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { EmailToFile, FiledEmail, ThreadRepository } from './ports/thread-repository.port.js';

/** A filing takes less than a second, and one that is done twice changes nothing. */
const leaseMs = 30_000;
/** Emails that one process files at once, and those of one team. Each may wait for memory and for a parser. */
export const maxFilings = 16;
const maxFilingsOfTeam = 4;
/** Pauses after failures; the last one is repeated. */
const pausesMs = [5_000, 60_000, 15 * 60_000];
/** After this many failures an email is filed without its content. */
const maxTriesWithContent = 4;
const maxFromLength = 320;

interface ReadContent {
  readonly from: string;
  readonly text: string;
}

/**
 * Puts received mail into inboxes. The transaction that stores an email notes the inboxes that it is for. Afterwards it
 * is read once, for its search, and filed: the email, its thread, what webhooks are told and the end of the note commit
 * together.
 */
@Injectable()
export class FileArrivals {
  private readonly filings = new Map<string, number>();

  // oxlint-disable-next-line max-params -- One story: what is read, and what is written in one transaction.
  constructor(
    private readonly arrivals: ArrivalQueue,
    private readonly received: ReceivedEmails,
    private readonly contents: ReceivedContents,
    private readonly inboxes: InboxRepository,
    private readonly threads: ThreadRepository,
    private readonly events: TeamEvents,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  claim(limit: number): Promise<readonly InboxArrival[]> {
    const now = this.clock.now();
    const places = { limit, maxPerTeam: maxFilingsOfTeam, held: this.filings };
    return this.arrivals.take(now, new Date(now.getTime() + leaseMs), places);
  }

  /** Throws after the arrival was made due again. */
  async file(arrival: InboxArrival): Promise<void> {
    changeCount(this.filings, arrival.teamId, 1);
    try {
      await this.fileNow(arrival);
    } catch (error) {
      const pauseMs = pausesMs[Math.min(arrival.failures, pausesMs.length - 1)] as number;
      await this.arrivals.failed(arrival, new Date(this.clock.now().getTime() + pauseMs));
      throw error;
    } finally {
      changeCount(this.filings, arrival.teamId, -1);
    }
  }

  private async fileNow(arrival: InboxArrival): Promise<void> {
    const [received, inbox] = await Promise.all([
      this.received.findAny(arrival.receivedId),
      this.inboxes.find(arrival.teamId, arrival.inboxId),
    ]);
    const content = received === undefined ? undefined : await this.contentOf(received, arrival);
    // Reading may take long, and an address may have been erased from the email meanwhile.
    const email = await this.received.findAny(arrival.receivedId);
    // Erased, past its retention, or the inbox was removed.
    if (email === undefined || content === undefined || inbox === undefined) return this.arrivals.done(arrival);
    const toFile = emailToFile(email, content);
    await this.work.run(async (transaction) => {
      const place = { root: email.threadId, isSpam: email.verdicts.spam?.isSpam === true };
      const filed = await this.threads.file(inbox.id, toFile, place, transaction);
      if (filed !== undefined) await this.events.append(eventsOf(inbox, filed, this.clock.now()), transaction);
      await this.arrivals.done(arrival, transaction);
    });
  }

  /** An email that cannot be read is filed all the same. */
  private async contentOf(email: ReceivedEmail, { failures, teamId }: InboxArrival): Promise<ReadContent> {
    if (email.isAboveQuota || failures >= maxTriesWithContent) return { from: email.from, text: '' };
    const body = await this.contents.body(email, 'cid', teamId);
    try {
      const { plain, headers } = body;
      const text =
        typeof plain === 'string'
          ? plain
          : plain === null
            ? ''
            : new TextDecoder().decode(plain.subarray(0, maxReadBytes));
      return { from: shownFrom(headers.from, email.from), text };
    } finally {
      body.release();
    }
  }
}

/** Bytes of the text that are read for the search. */
const maxReadBytes = 256 * 1024;

/** With the name of the author, where the field has one mailbox. */
function shownFrom(field: string | undefined, address: string): string {
  const isOne = field !== undefined && field.length <= maxFromLength && field.indexOf('<') === field.lastIndexOf('<');
  return isOne && field.toLowerCase().endsWith(`<${address.toLowerCase()}>`) ? field : address;
}

function emailToFile(email: ReceivedEmail, { from, text }: ReadContent): EmailToFile {
  return {
    id: email.id,
    direction: 'inbound',
    from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    replyTo: email.replyTo,
    subject: email.subject === '' ? null : email.subject,
    messageId: email.messageId === '' ? null : email.messageId,
    attachments: email.attachments.map(({ id, filename, size }) => ({ id, filename, size })),
    receivedAt: email.createdAt,
    text,
  };
}

function eventsOf(inbox: Inbox, { email, thread, isNewThread, movedFrom }: FiledEmail, now: Date): TeamEvent[] {
  const events = [inboxEvent('inbox.email.received', inbox, 'system', { thread, email }, now)];
  if (isNewThread) events.unshift(inboxEvent('inbox.thread.created', inbox, 'system', { thread, email }, now));
  if (movedFrom !== undefined) {
    const moved = { from: movedFrom, to: thread.folder };
    events.push(inboxEvent('inbox.thread.folder.updated', inbox, 'system', { thread, moved }, now));
  }
  return events;
}
