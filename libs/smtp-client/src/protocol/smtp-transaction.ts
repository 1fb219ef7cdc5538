import { classifyReply, namesOnlySender, NotAttemptedError } from '#delivery';
import type {
  AttemptDetail,
  AttemptTimings,
  DeliveryOutcome,
  MessageContent,
  OutboundMessage,
  ReplyCategory,
  ReplyStage,
} from '#delivery';
import { dotStuffed, inspectContent, isEnvelopeAddress, needsUtf8 } from './message-content.js';
import type { ContentInspection } from './message-content.js';
import { PhaseTimes } from './phase-clock.js';
import type { SmtpCapabilities } from './smtp-session.js';
import { activityOf } from './smtp-failure.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply-parser.js';

/** The average rate at which a host must receive content, after the grace period, while other mail waits for memory. */
const minBytesPerSecond = 65_536;
const graceSeconds = 10;

/**
 * One message for one host: its commands, and the outcome of each recipient.
 *
 * Recipients whose outcome is known before anything is sent (an invalid address, SMTPUTF8 not offered) are left out of
 * the envelope. Content with a bare CR or LF is refused and not repaired: the bytes are signed, and sending them
 * enables SMTP smuggling (a server that takes LF.LF for the end reads the rest as another message).
 */
export class SmtpTransaction {
  readonly outcomes: Promise<readonly DeliveryOutcome[]>;
  /** Number of times a connection ended before a reply decided this message. */
  timesPutBack = 0;

  #times = new PhaseTimes();
  #handshake: AttemptTimings | undefined;
  readonly #startedAt = performance.now();
  #preparedAt = 0;
  readonly #results: (DeliveryOutcome | undefined)[];
  #content: MessageContent | undefined;
  #inspection: ContentInspection = notInspected;
  #envelope: readonly number[];
  #settle!: (outcomes: readonly DeliveryOutcome[]) => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly message: OutboundMessage,
    private readonly host: string,
  ) {
    this.outcomes = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    this.#results = new Array<DeliveryOutcome | undefined>(message.recipients.length).fill(undefined);
    this.#envelope = message.recipients.map((_, index) => index);
    this.#refuseWhatCannotBeSent();
  }

  /** Whether the outcome of every recipient is known and `outcomes` has resolved. */
  get isSettled(): boolean {
    return this.#envelope.length === 0;
  }

  get recipientCount(): number {
    return this.#envelope.length;
  }

  /** Whether it has content and other mail waits for the memory of this content. */
  get holdsUpOthers(): boolean {
    return this.#content?.isInDemand === true;
  }

  /** Valid only while it has content. */
  get hasContentForMs(): number {
    return performance.now() - this.#preparedAt;
  }

  /** Whether the host receives the content too slowly while other mail waits for its memory. */
  get isTooSlow(): boolean {
    if (!this.holdsUpOthers) return false;
    return this.hasContentForMs / 1_000 > graceSeconds + this.#bytes.length / minBytesPerSecond;
  }

  /**
   * Calls `onPrepared` when the content is ready or the transaction is settled. See `OutboundMessage` for `onGranted`.
   */
  prepare(onPrepared: () => void, onGranted: () => void): void {
    const fail = (error: unknown): void => {
      this.#envelope = [];
      this.#reject(error);
      onPrepared();
    };
    this.message.content(onGranted).then((content) => {
      try {
        this.#take(content);
      } catch (error) {
        return fail(error);
      }
      onPrepared();
    }, fail);
  }

  #take(content: MessageContent): void {
    if (this.isSettled) return content.release();
    this.#content = content;
    this.#preparedAt = performance.now();
    this.#inspection = inspectContent(content.bytes);
    if (this.#inspection.hasBareLineBreak) this.#bounceAll('The message has a CR or LF that is not part of a CRLF');
  }

  /** Releases the content, for good or until `prepare` is called again. */
  releaseContent(): void {
    this.#content?.release();
    this.#content = undefined;
  }

  /**
   * Called when a connection takes the message. `handshake` has the durations of the handshake if the connection was
   * opened for it.
   */
  begin(handshake: AttemptTimings | undefined): void {
    this.#times = new PhaseTimes();
    this.#handshake = handshake;
  }

  /** Leaves the recipients without an outcome to another connection. */
  putBack(): void {
    this.timesPutBack++;
    this.#envelope = this.#envelope.filter((index) => this.#results[index] === undefined);
  }

  ended(phase: SmtpPhase): void {
    this.#times.ended(phase);
  }

  /** Removes recipients that the server's extensions do not allow. Settles the transaction if none remains. */
  fitTo(capabilities: SmtpCapabilities, host: string): void {
    const size = this.#bytes.length;
    if (size > capabilities.maxSizeBytes) {
      this.#bounceAll(`The message has ${size} bytes; ${host} takes at most ${capabilities.maxSizeBytes}`, 'too-large');
    } else if (!capabilities.smtpUtf8) {
      const reason = `${host} does not take internationalized addresses (SMTPUTF8)`;
      if (this.#inspection.hasEightBitHeader) {
        this.#bounceAll(`The header of the message has text beyond ASCII, and ${host} does not take it (SMTPUTF8)`);
      } else if (needsUtf8(this.message.mailFrom)) this.#bounceAll(reason);
      else this.#bounceWhere((recipient) => needsUtf8(recipient), reason);
    }
  }

  mailCommand(capabilities: SmtpCapabilities): string {
    const { mailFrom, recipients } = this.message;
    let command = `MAIL FROM:<${mailFrom}>`;
    if (capabilities.size) command += ` SIZE=${this.#bytes.length}`;
    // Without 8BITMIME the bytes are sent unchanged: all present-day servers accept them, and re-encoding breaks
    // signatures.
    if (capabilities.eightBitMime && this.#inspection.hasEightBit) command += ' BODY=8BITMIME';
    const needsSmtpUtf8 =
      this.#inspection.hasEightBitHeader || needsUtf8(mailFrom) || recipients.some((recipient) => needsUtf8(recipient));
    if (capabilities.smtpUtf8 && needsSmtpUtf8) command += ' SMTPUTF8';
    return `${command}\r\n`;
  }

  /** `position` is an index in the envelope, not in the message's recipients. */
  rcptCommand(position: number): string {
    return `RCPT TO:<${this.message.recipients[this.#envelope[position] as number]}>\r\n`;
  }

  dottedContent(): Uint8Array {
    return dotStuffed(this.#bytes, this.#inspection.dottedLines);
  }

  recipientRefused(position: number, reply: SmtpReply, connection: ConnectionDetail): void {
    const recipient = this.#envelope[position] as number;
    const outcome = outcomeFromReply('rcpt', reply, this.#timed('rcpt', connection), this.#elapsed());
    this.#results[recipient] = this.#judged(outcome, recipient);
  }

  /** Gives all recipients without an outcome the outcome of one reply. */
  finish(phase: SmtpPhase, reply: SmtpReply, connection: ConnectionDetail): void {
    const outcome = outcomeFromReply(phase, reply, this.#timed(phase, connection), this.#elapsed());
    this.#settleAll(this.#judged(outcome));
  }

  /** `phase` is the phase that was reached, if a connection had taken the message. */
  fail(failure: SmtpFailure, outcomeUnknown: boolean, connection: ConnectionDetail, phase?: SmtpPhase): void {
    const timed = phase === undefined ? connection : this.#timed(phase, connection);
    this.#settleAll(outcomeFromFailure(failure, outcomeUnknown, timed, this.#elapsed()));
  }

  /** A reply that names the sender is not about a recipient, and one to several recipients does not say which is bad. */
  #judged(outcome: DeliveryOutcome, of?: number): DeliveryOutcome {
    if (outcome.kind !== 'bounced' || outcome.category !== 'bad-address') return outcome;
    const recipients = this.message.recipients.filter((_, index) =>
      of === undefined ? this.#results[index] === undefined : index === of,
    );
    const { replyText = '' } = outcome.detail;
    if (namesOnlySender(replyText, this.message.mailFrom, recipients)) return { ...outcome, category: 'bad-sender' };
    return recipients.length > 1 ? { ...outcome, category: 'unknown' } : outcome;
  }

  #timed(phase: SmtpPhase, connection: ConnectionDetail): ConnectionDetail {
    this.#times.ended(phase);
    const { host, address, tls } = connection;
    return { host, address, tls, timings: this.#times.after(this.#handshake) };
  }

  /** Ends the transaction without an outcome: nothing was sent. */
  withdraw(): void {
    this.#reject(new NotAttemptedError());
    this.#end([]);
  }

  #refuseWhatCannotBeSent(): void {
    const { mailFrom } = this.message;
    if (mailFrom !== '' && !isEnvelopeAddress(mailFrom)) this.#bounceAll('The sender is not an email address');
    else this.#bounceWhere((recipient) => !isEnvelopeAddress(recipient), 'The recipient is not an email address');
  }

  #bounceAll(reason: string, category?: ReplyCategory): void {
    this.#settleAll(this.#bounced(reason, category));
  }

  #bounceWhere(matches: (recipient: string) => boolean, reason: string): void {
    const { recipients } = this.message;
    if (!this.#envelope.some((index) => matches(recipients[index] as string))) return;
    for (const index of this.#envelope) {
      if (matches(recipients[index] as string)) this.#results[index] = this.#bounced(reason);
    }
    this.#envelope = this.#envelope.filter((index) => this.#results[index] === undefined);
    if (this.#envelope.length === 0) this.#end(this.#results as DeliveryOutcome[]);
  }

  #bounced(reason: string, category: ReplyCategory = 'protocol'): DeliveryOutcome {
    return { kind: 'bounced', reason, category, detail: { host: this.host, durationMs: this.#elapsed() } };
  }

  #settleAll(outcome: DeliveryOutcome): void {
    for (let index = 0; index < this.#results.length; index++) this.#results[index] ??= outcome;
    this.#end(this.#results as DeliveryOutcome[]);
  }

  #end(outcomes: readonly DeliveryOutcome[]): void {
    this.#envelope = [];
    this.releaseContent();
    this.#settle(outcomes);
  }

  get #bytes(): Uint8Array {
    if (this.#content === undefined) throw new Error('A connection has a message without its content');
    return this.#content.bytes;
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

const notInspected: ContentInspection = {
  hasBareLineBreak: false,
  hasEightBit: false,
  hasEightBitHeader: false,
  dottedLines: 0,
};

/** Properties of the connection, which are the same for all its messages, and the timings. */
export interface ConnectionDetail {
  readonly host: string;
  readonly address?: string;
  readonly tls?: AttemptDetail['tls'];
  readonly timings?: AttemptTimings;
}

const maxReplyTextLength = 1_024;

/**
 * The outcome for a recipient that a reply decides.
 *
 * A 5yz reply is final only if it concerns this sender, recipient or message: in reply to MAIL, RCPT, DATA or the final
 * dot. In reply to the greeting, EHLO, STARTTLS or AUTH it concerns the site or us. The same holds in any phase for the
 * codes that ask for other credentials (RFC 4954 section 6). `replyRules` know servers that send 5yz for a temporary
 * refusal, such as "too many recipients" (RFC 5321 section 4.5.3.1.10).
 */
export function outcomeFromReply(
  phase: SmtpPhase,
  reply: SmtpReply,
  connection: ConnectionDetail,
  durationMs: number,
): DeliveryOutcome {
  const detail = detailOf(reply, connection, durationMs);
  if (reply.isPositive && phase === 'dataTermination') return { kind: 'delivered', detail };
  const reason = `${connection.host} said: ${reply.toString()} (while ${activityOf(phase)})`.slice(
    0,
    maxReplyTextLength,
  );
  const { category, isTemporary } = classifyReply(reply.code, reply.enhancedCode, reply.text, stageOf(phase));
  return isFinal(phase, reply) && !isTemporary
    ? { kind: 'bounced', reason, category, detail }
    : { kind: 'deferred', reason, outcomeUnknown: false, category, detail };
}

/** The server cannot encrypt and the sender requires it (RFC 5248 section 2.4, X.7.10 of the IANA registry). */
const encryptionNeeded = '5.7.10';

/**
 * The outcome for a recipient when the connection ended before any reply decided it. It is temporary, except if the
 * server cannot do what the sender requires. A failure before the first MAIL concerns the site and says nothing about
 * the recipient.
 */
export function outcomeFromFailure(
  failure: SmtpFailure,
  outcomeUnknown: boolean,
  connection: ConnectionDetail,
  durationMs: number,
): DeliveryOutcome {
  const about = {
    ...connection,
    address: failure.address ?? connection.address,
    tls: failure.tls ?? connection.tls,
    timings: failure.timings ?? connection.timings,
  };
  if (failure.isFinal) {
    return {
      kind: 'bounced',
      reason: failure.message,
      detail: { ...about, enhancedCode: encryptionNeeded, durationMs },
    };
  }
  const isSiteTrouble = handshake.has(failure.phase) && !failure.isOurs;
  if (failure.reply !== undefined) {
    return {
      kind: 'deferred',
      reason: `${about.host} said: ${failure.reply.toString()} (while ${activityOf(failure.phase)})`.slice(
        0,
        maxReplyTextLength,
      ),
      outcomeUnknown: false,
      isSiteTrouble,
      category: classifyReply(
        failure.reply.code,
        failure.reply.enhancedCode,
        failure.reply.text,
        stageOf(failure.phase),
      ).category,
      detail: detailOf(failure.reply, about, durationMs),
    };
  }
  return { kind: 'deferred', reason: failure.message, outcomeUnknown, isSiteTrouble, detail: { ...about, durationMs } };
}

function isFinal(phase: SmtpPhase, reply: SmtpReply): boolean {
  if (reply.code < 500 || asksForCredentials.has(reply.code)) return false;
  switch (phase) {
    case 'mail':
    case 'rcpt':
    case 'dataInitiation':
    case 'dataBlock':
    case 'dataTermination':
      return true;
    default:
      return false;
  }
}

function stageOf(phase: SmtpPhase): ReplyStage {
  if (handshake.has(phase)) return 'handshake';
  return phase === 'mail' ? 'mail' : 'recipient';
}

const handshake: ReadonlySet<SmtpPhase> = new Set(['connect', 'banner', 'ehlo', 'starttls', 'auth']);

/** Codes for: authentication required, mechanism too weak, credentials invalid, encryption required. */
const asksForCredentials: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function detailOf(reply: SmtpReply, connection: ConnectionDetail, durationMs: number): AttemptDetail {
  const text = reply.text;
  return {
    host: connection.host,
    address: connection.address,
    tls: connection.tls,
    replyCode: reply.code,
    enhancedCode: reply.enhancedCode,
    replyText: text.length > maxReplyTextLength ? text.slice(0, maxReplyTextLength) : text,
    timings: connection.timings,
    durationMs,
  };
}
