import { endsSessionOnly } from '#delivery';
import type { ChannelOwner, SmtpChannel } from './smtp-channel.js';
import type { ConnectionDetail, SmtpTransaction } from './smtp-transaction.js';
import type { SmtpCapabilities, SmtpSession } from './smtp-session.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpReply } from './smtp-reply-parser.js';
import { MessageSource, phaseOfStage, TransactionWriter } from './transaction-progress.js';
import type { TransactionProgress } from './transaction-progress.js';

/** Larger content is not held behind a message that awaits its reply, because the reply may take minutes. */
const maxFollowingBytes = 128 * 1024;

/**
 * Sends messages over one session, one transaction after the other (RFC 5321 section 3.3).
 *
 * With PIPELINING (RFC 2920), MAIL, all RCPT and DATA go in one write. The content goes in another, with the MAIL, RCPT
 * and DATA of the next message: one round trip, one write and one read per message. Otherwise each command waits for
 * its reply.
 */
export class SmtpConnection implements ChannelOwner {
  readonly #channel: SmtpChannel;
  readonly #writer: TransactionWriter;
  readonly #source: MessageSource;
  readonly #capabilities: SmtpCapabilities;
  readonly #detail: ConnectionDetail;
  #current: TransactionProgress | undefined;
  #following: TransactionProgress | undefined;
  #finished = 0;
  #isLeaving = false;
  #hasQuit = false;

  constructor(
    session: SmtpSession,
    maxMessages: number,
    private readonly owner: ConnectionOwner<SmtpConnection>,
  ) {
    this.#channel = session.channel;
    this.#writer = new TransactionWriter(session.channel, session.capabilities);
    this.#capabilities = session.capabilities;
    this.#detail = { host: session.host, address: session.channel.address, tls: session.channel.tls };
    this.#source = new MessageSource(
      maxMessages,
      session.capabilities,
      session.host,
      session.channel.times.after(),
      (maxBytes) => owner.take(maxBytes),
    );
    this.#channel.attach(this);
    this.#channel.await('idle');
  }

  get isIdle(): boolean {
    return this.#current === undefined && !this.#isLeaving && !this.#hasQuit;
  }

  /** Whether it takes no more messages. */
  get isLeaving(): boolean {
    return this.#isLeaving || this.#source.isExhausted;
  }

  /** Takes a waiting message if it can. */
  wake(): void {
    if (this.#current !== undefined && !(this.#current.isEndSent && this.#capabilities.pipelining)) return;
    const maxBytes = this.#current === undefined ? Infinity : maxFollowingBytes;
    const progress = this.#following === undefined ? this.#take(maxBytes) : undefined;
    if (progress === undefined) return;
    const isFirst = this.#current === undefined;
    if (isFirst) this.#current = progress;
    else this.#following = progress;
    this.#channel.send(nothing, this.#writer.firstCommands(progress));
    if (isFirst) this.#awaitReply();
  }

  /** Carries at most `messages`, and those that it has taken. */
  limitTo(messages: number): void {
    this.#source.limitTo(messages);
    if (this.isIdle && this.#source.isExhausted) this.leave();
  }

  /** Takes no more messages, and ends the session after the present ones. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#current === undefined) this.#quit();
  }

  idled(): void {
    this.leave();
  }

  drained(): void {
    if (this.#current?.stage !== 'content') return;
    if (this.#current.transaction.isTooSlow) return void this.#channel.fail('timeout', tooSlow);
    this.#channel.await('dataBlock');
    this.#sendContent(this.#current);
  }

  impatience(waitedMs: number): string | undefined {
    if (this.isIdle && this.owner.isCrowded) this.leave();
    return impatienceWith(this.#current, this.#following, waitedMs, () => this.owner.isCrowded);
  }

  replyArrived(reply: SmtpReply): void {
    const progress = this.#current;
    if (this.#hasQuit) {
      this.#channel.fail('disconnected', 'the session has ended');
    } else if (reply.code === 421) {
      if (progress !== undefined) {
        progress.hasReply = !(progress.mayStartOver && endsSessionOnly(reply.code, reply.enhancedCode, reply.text));
        if (!progress.hasReply && this.#finished > 0) this.owner.sessionLimited(this.#finished);
      }
      this.#channel.fail('refused', 'the server ended the session', reply);
    } else if (progress === undefined || progress.sentInRead === this.#channel.currentRead) {
      this.#protocolError('the server replied before a command was sent');
    } else {
      this.#advance(progress, reply);
      this.#awaitReply();
    }
  }

  failed(failure: SmtpFailure): void {
    const mayBePutBack = failure.kind === 'disconnected' || failure.kind === 'refused';
    const isReused = this.#finished > 0;
    const current = this.#current;
    const following = this.#following;
    this.#current = undefined;
    this.#following = undefined;
    this.#isLeaving = true;
    this.#hasQuit = true;
    if (following !== undefined) this.#giveUp(following, failure, mayBePutBack);
    if (current !== undefined) this.#giveUp(current, failure, mayBePutBack && isReused);
    this.owner.closed(this);
  }

  #giveUp(progress: TransactionProgress, failure: SmtpFailure, mayBePutBack: boolean): void {
    const { transaction } = progress;
    if (mayBePutBack && !progress.hasReply && transaction.timesPutBack === 0) {
      transaction.putBack();
      this.owner.putBack(transaction);
    } else progress.fail(failure, this.#detail);
  }

  #advance(progress: TransactionProgress, reply: SmtpReply): void {
    if (progress.stage !== 'rset') progress.hasReply = true;
    switch (progress.stage) {
      case 'rset':
        if (!reply.isPositive) return this.#protocolError(`the reply to RSET was ${reply.code}`);
        progress.stage = 'mail';
        return this.#writer.sendInTurn(progress, progress.transaction.mailCommand(this.#capabilities));
      case 'mail':
        return this.#mailReplied(progress, reply);
      case 'rcpt':
        return this.#rcptReplied(progress, reply);
      case 'data':
        return this.#dataReplied(progress, reply);
      case 'content':
        // A positive reply is too early here, but a refusal counts (552 when the server has seen enough). The rest is
        // not sent.
        if (reply.isNegative) progress.transaction.finish('dataBlock', reply, this.#detail);
        return this.#protocolError('the server replied before it had the complete message');
      case 'dot':
        return this.#dotReplied(progress, reply);
    }
  }

  #mailReplied(progress: TransactionProgress, reply: SmtpReply): void {
    if (reply.isIntermediate) return this.#protocolError(`the reply to MAIL was ${reply.code}`);
    if (reply.isNegative) progress.mailRefusal = reply;
    if (reply.isNegative && !this.#capabilities.pipelining) return this.#endWithoutContent(progress, reply);
    progress.stage = 'rcpt';
    this.#writer.sendInTurn(progress, progress.transaction.rcptCommand(0));
  }

  #rcptReplied(progress: TransactionProgress, reply: SmtpReply): void {
    const { transaction } = progress;
    if (reply.isIntermediate) return this.#protocolError(`the reply to RCPT was ${reply.code}`);
    progress.recipientReplied(reply, this.#detail);
    if (progress.position < transaction.recipientCount) {
      return this.#writer.sendInTurn(progress, transaction.rcptCommand(progress.position));
    }
    if (progress.hasNoRecipients && !this.#capabilities.pipelining) return this.#endWithoutContent(progress, reply);
    transaction.ended('rcpt');
    progress.stage = 'data';
    this.#writer.sendInTurn(progress, 'DATA\r\n');
  }

  #dataReplied(progress: TransactionProgress, reply: SmtpReply): void {
    if (reply.isNegative) return this.#endWithoutContent(progress, reply);
    if (reply.code !== 354) return this.#protocolError(`the reply to DATA was ${reply.code}`);
    if (progress.hasNoRecipients) return this.#sendEnd(progress, nothing);
    this.#writer.begin(progress.transaction.dottedContent());
    progress.stage = 'content';
    this.#sendContent(progress);
  }

  #dotReplied(progress: TransactionProgress, reply: SmtpReply): void {
    if (reply.isIntermediate) return this.#protocolError(`the reply to the message was ${reply.code}`);
    progress.finish('dataTermination', reply, this.#detail);
    this.#next();
  }

  /** Sends RSET before the next MAIL, because the server still has the envelope. */
  #endWithoutContent(progress: TransactionProgress, reply: SmtpReply): void {
    this.#source.needsReset = progress.mailRefusal === undefined;
    progress.finish('dataInitiation', reply, this.#detail);
    this.#next();
  }

  #next(): void {
    this.#finished++;
    this.#current = this.#following;
    this.#following = undefined;
    if (this.#current === undefined) this.wake();
    if (this.#current !== undefined) return;
    if (this.#isLeaving || this.#source.isExhausted) this.#quit();
    else this.owner.idle();
  }

  #sendContent(progress: TransactionProgress): void {
    const last = this.#writer.writeSlices(progress);
    if (last !== undefined) this.#sendEnd(progress, last);
  }

  #sendEnd(progress: TransactionProgress, content: Uint8Array): void {
    progress.transaction.ended('dataBlock');
    progress.stage = 'dot';
    progress.sentInRead = this.#channel.currentRead;
    if (this.#capabilities.pipelining) this.#following = this.#take(maxFollowingBytes);
    const next = this.#following === undefined ? '' : this.#writer.firstCommands(this.#following);
    this.#writer.writeEnd(progress.transaction, content, next);
    this.#awaitReply();
  }

  #take(maxBytes: number): TransactionProgress | undefined {
    return this.#isLeaving ? undefined : this.#source.take(maxBytes);
  }

  #awaitReply(): void {
    if (this.#hasQuit) return;
    this.#channel.await(this.#current === undefined ? 'idle' : phaseOfStage[this.#current.stage]);
  }

  #quit(): void {
    if (this.#hasQuit) return;
    this.#hasQuit = true;
    this.#channel.send(nothing, 'QUIT\r\n');
    this.#channel.await('quit');
  }

  #protocolError(message: string): void {
    this.#channel.fail('protocol', message);
  }
}

const nothing = new Uint8Array(0);

/** How long a host may keep us waiting while other mail waits for the memory of this content. */
const stallMs = 5_000;
const crowdedStallMs = 30_000;
/** The same for content that waits behind a message that awaits its reply. */
const followingStallMs = 60_000;

const tooSlow = 'given up, because other mail waited for the memory that this message took,';
const crowded = 'given up, because other hosts waited for a connection,';

/** Why a host that has kept us waiting for `waitedMs` is given up before its deadline; undefined if it is not. */
function impatienceWith(
  current: TransactionProgress | undefined,
  following: TransactionProgress | undefined,
  waitedMs: number,
  isCrowded: () => boolean,
): string | undefined {
  if (waitedMs >= stallMs && current?.transaction.holdsUpOthers === true) return tooSlow;
  if (waitedMs >= followingStallMs && following?.transaction.holdsUpOthers === true) return tooSlow;
  const mayEnd = current !== undefined && !current.isEndSent;
  return waitedMs >= crowdedStallMs && mayEnd && isCrowded() ? crowded : undefined;
}

/** Supplies messages to connections, and is told about their state. */
export interface ConnectionOwner<Connection> {
  /** Whether other hosts wait because there are too many connections. */
  readonly isCrowded: boolean;
  /**
   * The next waiting message with content, if there is one and it has at most `maxBytes`. The connection must settle
   * it.
   */
  take(maxBytes: number): SmtpTransaction | undefined;
  /** The connection ended before a reply decided this message, so another connection may try it. */
  putBack(transaction: SmtpTransaction): void;
  /** The server ended the session after this number of messages. Others will end as well once they have carried as many. */
  sessionLimited(messages: number): void;
  /** The connection has become idle. */
  idle(): void;
  closed(connection: Connection): void;
}
