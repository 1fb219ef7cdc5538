import type { AttemptTimings } from '../../../domain/delivery-outcome.js';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { ChannelOwner, SmtpChannel } from './smtp-channel.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { ConnectionDetail } from './outcome-from-reply.js';
import type { SmtpReply } from './smtp-reply.js';
import type { SmtpSession } from './smtp-session.js';
import type { SmtpTransaction } from './smtp-transaction.js';
import { phaseOfStage, TransactionProgress } from './transaction-progress.js';

/** Where a connection gets its messages, and what it tells of itself. */
export interface ConnectionOwner {
  /** Other hosts wait because there are too many connections. */
  readonly isCrowded: boolean;
  /** The next waiting message with content, if there is one and it is no larger; from then on it is the connection's to settle. */
  take(maxBytes: number): SmtpTransaction | undefined;
  /** Nothing was answered to this message before the connection ended: another one may try it. */
  putBack(transaction: SmtpTransaction): void;
  /** The connection has become idle. */
  idle(): void;
  closed(connection: SmtpConnection): void;
}

/** Content up to this size goes in one write; what is larger goes in slices of this size, each when the last is gone. */
const sliceSize = 65_536;
/** How long a host may leave us waiting while other mail waits for the memory of this content, and for the connection. */
const stallMs = 5_000;
const crowdedStallMs = 30_000;
/** Content beyond this is not held behind a message that awaits its reply: that may take minutes. */
const maxFollowingBytes = 128 * 1024;
const followingStallMs = 60_000;

/**
 * Sends messages over one session, one transaction after the other (RFC 5321 section 3.3).
 *
 * With PIPELINING (RFC 2920), MAIL, all RCPT and DATA go in one write, and the content in another together with the
 * MAIL, RCPT and DATA of the next message if one waits: one round trip, one write and one read per message. At most
 * two messages are here at once, the second behind the first one's final dot. Without PIPELINING, strictly in turns.
 *
 * Measured over plain loopback with 4 KB messages: see `SmtpConnectionPool`.
 */
export class SmtpConnection implements ChannelOwner {
  readonly #channel: SmtpChannel;
  readonly #capabilities: SmtpCapabilities;
  readonly #detail: ConnectionDetail;
  /** Until the first message takes it along. */
  #handshake: AttemptTimings | undefined;
  #current: TransactionProgress | undefined;
  #following: TransactionProgress | undefined;
  #content: Uint8Array = nothing;
  #contentOffset = 0;
  /** All of its content has been handed over, and not all of it has reached the operating system. */
  #unflushed: SmtpTransaction | undefined;
  #needsReset = false;
  #taken = 0;
  #finished = 0;
  #isLeaving = false;
  #hasQuit = false;

  constructor(
    session: SmtpSession,
    private readonly maximumMessages: number,
    private readonly owner: ConnectionOwner,
  ) {
    this.#channel = session.channel;
    this.#capabilities = session.capabilities;
    this.#detail = { host: session.host, address: session.channel.address, tls: session.channel.tls };
    this.#handshake = session.channel.times.after();
    this.#channel.attach(this);
    this.#channel.await('idle');
  }

  get isIdle(): boolean {
    return this.#current === undefined && !this.#isLeaving && !this.#hasQuit;
  }

  /** It takes no more messages. */
  get isLeaving(): boolean {
    return this.#isLeaving || this.#taken >= this.maximumMessages;
  }

  /** Takes a waiting message if there is room for one. */
  wake(): void {
    if (this.#current !== undefined && !(this.#current.isEndSent && this.#capabilities.pipelining)) return;
    const maxBytes = this.#current === undefined ? Infinity : maxFollowingBytes;
    const progress = this.#following === undefined ? this.#take(maxBytes) : undefined;
    if (progress === undefined) return;
    if (this.#current === undefined) {
      this.#current = progress;
      this.#channel.send(nothing, this.#firstCommands(progress));
      this.#awaitReply();
    } else {
      this.#following = progress;
      this.#channel.send(nothing, this.#firstCommands(progress));
    }
  }

  /** Takes no more messages, and ends the session when those here are done. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#current === undefined) this.#quit();
  }

  idled(): void {
    this.leave();
  }

  drained(): void {
    this.#unflushed?.releaseContent();
    this.#unflushed = undefined;
    if (this.#current?.stage !== 'content') return;
    if (this.#current.transaction.isTooSlow) return void this.#channel.fail('timeout', tooSlow);
    this.#channel.await('dataBlock');
    this.#sendContent(this.#current);
  }

  impatience(waitedMs: number): string | undefined {
    if (this.isIdle && this.owner.isCrowded) this.leave();
    if (waitedMs >= stallMs && this.#current?.transaction.holdsUpOthers === true) return tooSlow;
    if (waitedMs >= followingStallMs && this.#following?.transaction.holdsUpOthers === true) return tooSlow;
    const mayEnd = this.#current !== undefined && !this.#current.isEndSent;
    return waitedMs >= crowdedStallMs && mayEnd && this.owner.isCrowded ? crowded : undefined;
  }

  replyArrived(reply: SmtpReply): void {
    const progress = this.#current;
    if (this.#hasQuit) {
      this.#channel.fail('disconnected', 'the session has ended');
    } else if (reply.code === 421) {
      if (progress !== undefined) progress.hasReply = true;
      this.#channel.fail('refused', 'the server ended the session', reply);
    } else if (progress === undefined || progress.sentInRead === this.#channel.currentRead) {
      this.#protocolError('the server replied before it was asked');
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
      transaction.timesPutBack++;
      this.owner.putBack(transaction);
    } else if (progress.mailRefusal !== undefined) {
      transaction.finish('mail', progress.mailRefusal, this.#detail);
    } else {
      const outcomeUnknown = progress.isEndSent && !progress.isForNobody;
      transaction.fail(failure, outcomeUnknown, this.#detail, phaseOfStage[progress.stage]);
    }
  }

  #advance(progress: TransactionProgress, reply: SmtpReply): void {
    if (progress.stage !== 'rset') progress.hasReply = true;
    switch (progress.stage) {
      case 'rset':
        if (!reply.isPositive) return this.#protocolError(`RSET was answered with ${reply.code}`);
        progress.stage = 'mail';
        return this.#sendInTurn(progress, progress.transaction.mailCommand(this.#capabilities));
      case 'mail':
        return this.#mailAnswered(progress, reply);
      case 'rcpt':
        return this.#rcptAnswered(progress, reply);
      case 'data':
        return this.#dataAnswered(progress, reply);
      case 'content':
        // Too early for a verdict, but a refusal is one (552 when the server has seen enough); the rest is not sent.
        if (reply.isNegative) progress.transaction.finish('dataBlock', reply, this.#detail);
        return this.#protocolError('the server replied before it had the message');
      case 'dot':
        return this.#dotAnswered(progress, reply);
    }
  }

  #mailAnswered(progress: TransactionProgress, reply: SmtpReply): void {
    if (isIntermediate(reply)) return this.#protocolError(`MAIL was answered with ${reply.code}`);
    if (reply.isNegative) progress.mailRefusal = reply;
    if (reply.isNegative && !this.#capabilities.pipelining) return this.#endWithoutContent(progress, reply);
    progress.stage = 'rcpt';
    this.#sendInTurn(progress, progress.transaction.rcptCommand(0));
  }

  #rcptAnswered(progress: TransactionProgress, reply: SmtpReply): void {
    const { transaction, position } = progress;
    if (isIntermediate(reply)) return this.#protocolError(`RCPT was answered with ${reply.code}`);
    if (progress.mailRefusal === undefined) {
      if (reply.isPositive) progress.acceptedRecipients++;
      else transaction.recipientRefused(position, reply, this.#detail);
    }
    progress.position++;
    if (progress.position < transaction.recipientCount) {
      return this.#sendInTurn(progress, transaction.rcptCommand(progress.position));
    }
    if (progress.isForNobody && !this.#capabilities.pipelining) return this.#endWithoutContent(progress, reply);
    transaction.ended('rcpt');
    progress.stage = 'data';
    this.#sendInTurn(progress, 'DATA\r\n');
  }

  #dataAnswered(progress: TransactionProgress, reply: SmtpReply): void {
    if (reply.isNegative) return this.#endWithoutContent(progress, reply);
    if (reply.code !== 354) return this.#protocolError(`DATA was answered with ${reply.code}`);
    if (progress.isForNobody) return this.#sendEnd(progress, nothing);
    this.#content = progress.transaction.dottedContent();
    this.#contentOffset = 0;
    progress.stage = 'content';
    this.#sendContent(progress);
  }

  #dotAnswered(progress: TransactionProgress, reply: SmtpReply): void {
    if (isIntermediate(reply)) return this.#protocolError(`the message was answered with ${reply.code}`);
    if (progress.mailRefusal !== undefined) progress.transaction.finish('mail', progress.mailRefusal, this.#detail);
    else progress.transaction.finish('dataTermination', reply, this.#detail);
    this.#next();
  }

  /** RSET before the next MAIL: the server still has the envelope. */
  #endWithoutContent(progress: TransactionProgress, reply: SmtpReply): void {
    this.#needsReset = progress.mailRefusal === undefined;
    if (progress.mailRefusal !== undefined) progress.transaction.finish('mail', progress.mailRefusal, this.#detail);
    else progress.transaction.finish('dataInitiation', reply, this.#detail);
    this.#next();
  }

  #next(): void {
    this.#finished++;
    this.#current = this.#following;
    this.#following = undefined;
    if (this.#current === undefined) this.wake();
    if (this.#current !== undefined) return;
    if (this.#isLeaving || this.#taken >= this.maximumMessages) this.#quit();
    else this.owner.idle();
  }

  #sendContent(progress: TransactionProgress): void {
    const content = this.#content;
    while (content.length - this.#contentOffset > sliceSize) {
      const slice = content.subarray(this.#contentOffset, (this.#contentOffset += sliceSize));
      progress.sentInRead = this.#channel.currentRead;
      if (!this.#channel.write(slice)) return;
    }
    this.#content = nothing;
    this.#sendEnd(progress, this.#contentOffset === 0 ? content : content.subarray(this.#contentOffset));
  }

  #sendEnd(progress: TransactionProgress, content: Uint8Array): void {
    progress.transaction.ended('dataBlock');
    progress.stage = 'dot';
    progress.sentInRead = this.#channel.currentRead;
    if (this.#capabilities.pipelining) this.#following = this.#take(maxFollowingBytes);
    const next = this.#following === undefined ? '' : this.#firstCommands(this.#following);
    const isFlushed = this.#channel.send(content, `.\r\n${next}`);
    if (isFlushed) progress.transaction.releaseContent();
    else this.#unflushed = progress.transaction;
    this.#awaitReply();
  }

  #take(maxBytes: number): TransactionProgress | undefined {
    while (!this.#isLeaving && this.#taken < this.maximumMessages) {
      const transaction = this.owner.take(maxBytes);
      if (transaction === undefined) return undefined;
      transaction.fitTo(this.#capabilities, this.#detail.host);
      if (transaction.isSettled) continue;
      this.#taken++;
      const stage = this.#needsReset ? 'rset' : 'mail';
      this.#needsReset = false;
      transaction.begin(this.#handshake);
      this.#handshake = undefined;
      return new TransactionProgress(transaction, stage);
    }
    return undefined;
  }

  #firstCommands(progress: TransactionProgress): string {
    progress.sentInRead = this.#channel.currentRead;
    return progress.firstCommands(this.#capabilities);
  }

  #sendInTurn(progress: TransactionProgress, command: string): void {
    if (this.#capabilities.pipelining) return;
    progress.sentInRead = this.#channel.currentRead;
    this.#channel.send(nothing, command);
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
const tooSlow = 'given up, because other mail waited for the memory that this message took,';
const crowded = 'given up, because other hosts waited for a connection,';

function isIntermediate(reply: SmtpReply): boolean {
  return !reply.isPositive && !reply.isNegative;
}
