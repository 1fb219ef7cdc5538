import type { Socket } from 'node:net';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { Principal } from '#identity';
import { Place, PlaceHolder } from '../../domain/connection-places.js';
import { toleratedCommand } from '../../domain/tolerated-command.js';
import { WorkAllowance, waitForWork } from '../../domain/work-allowance.js';
import { LibraryConnection } from './smtp-library.js';
import { prices, SmtpLimits } from './smtp-limits.js';

const ownCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** The parts of the server that a connection needs. */
export interface ConnectionHost extends SMTPServer {
  readonly limits: SmtpLimits;
  readonly isStopping: boolean;
  /** Whether other mail servers connect here as well, without a login. */
  readonly isMx: boolean;
  readonly work: WorkAllowance;
  /** Resolves when the session may send its content. */
  admitContent(session: SMTPServerSession): Promise<void>;
  /** To be called if admitted content will not arrive. */
  abandon(session: SMTPServerSession): void;
  /** To be called when the content is not read until `resume`. */
  hold(session: SMTPServerSession): void;
  resume(session: SMTPServerSession): void;
  /**
   * To be called when the client has read the reply to a message that was accepted. It gets no other reply before this
   * resolves.
   */
  confirm(session: SMTPServerSession): Promise<void> | undefined;
}

/** The result of a login, kept for the rest of the session. */
export interface Login {
  readonly apiKey: string;
  readonly teamId: string;
  /** The sender of the message that is under way. */
  principal?: Principal;
}

/** The socket's data as determined by `Arrivals`. */
export interface ArrivedConnection extends SMTPConnectionOptions {
  readonly place: Place;
  /** The owner of the connection until it logs in: the network of the client. */
  readonly owner: string;
  /** CPU used so far, in ms. */
  readonly costMs: number;
}

/**
 * The connection of one client. It extends the library's connection with limits on commands, refusals, CPU and time,
 * and with the exact enhanced codes of RFC 3463, where the library has only one per reply code.
 */
export class Connection extends LibraryConnection implements PlaceHolder {
  private commands = 0;
  private refusals = 0;
  private owner: string;
  /** CPU charged since the last message that was accepted. */
  private chargedMs: number;
  /** The part of it that the content of the messages cost. */
  private contentMs = 0;
  private readonly since = performance.now();
  private visitTimer: NodeJS.Timeout;

  constructor(
    private readonly submissions: ConnectionHost,
    socket: Socket,
    private readonly arrival: ArrivedConnection,
  ) {
    super(submissions, socket, arrival);
    this.owner = arrival.owner;
    this.chargedMs = arrival.costMs;
    this.visitTimer = setTimeout(() => this.endUnlessBegun(), submissions.limits.loginMs);
  }

  get isIdle(): boolean {
    return !this.isBusy;
  }

  /** Sends 421 to a client that is between two messages. The others are checked again after their next reply. */
  endIfIdle(): void {
    if (!this.isBusy && this.isOpen) this.send(421, '4.3.2 Server shutting down');
  }

  evict(): void {
    this.send(421, '4.3.2 Too many connections, the place of this one goes to somebody else');
    this.hangUp();
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (code === 235 && !this.becomeCustomer()) {
      return this.send(421, '4.7.0 Too many connections of your team');
    }
    const text = this.worded(code, data);
    super.send(code, text, typeof text === 'string' && ownCode.test(text) ? false : context);
    if (code >= 500 && ++this.refusals >= this.submissions.limits.refusals) {
      super.send(421, '4.7.0 Too many errors', false);
    }
    if (context === 'DATA_OK') this.forgive();
    if (this.submissions.isStopping && code !== 421) setImmediate(() => this.endIfIdle());
  }

  protected override onCommand(line: Buffer, goOn: () => void): void {
    const confirmed = this.submissions.confirm(this.session);
    if (confirmed === undefined) return this.run(line, goOn);
    void confirmed.then(() => {
      if (this.isOpen) this.run(line, goOn);
    });
  }

  private run(line: Buffer, goOn: () => void): void {
    if (++this.commands > this.submissions.limits.commands) {
      return this.send(421, '4.7.0 Too many commands without a message');
    }
    const waitMs = this.charge(prices.ofCommand(line));
    if (waitMs === 0) goOn();
    else this.goOnAfter(waitMs, goOn);
  }

  /** Clients that log in may be odd. Other mail servers keep to the standard. */
  protected override tolerated(line: Buffer): Buffer {
    return this.submissions.isMx ? line : Buffer.from(toleratedCommand(line.toString('latin1')), 'latin1');
  }

  protected override onContent(bytes: number, goOn: () => void): void {
    const { submissions, session } = this;
    const costMs = prices.ofContent(bytes);
    this.contentMs += costMs;
    const waitMs = this.charge(costMs);
    if (waitMs === 0) return goOn();
    submissions.hold(session);
    this.goOnAfter(waitMs, () => {
      submissions.resume(session);
      goOn();
    });
  }

  protected override admitContent(): Promise<void> {
    return this.submissions.admitContent(this.session);
  }

  protected override abandonContent(): void {
    this.submissions.abandon(this.session);
  }

  protected override onEnd(): void {
    clearTimeout(this.visitTimer);
    this.arrival.place.release();
  }

  /** Returns how long the owner has to wait, in ms. */
  private charge(costMs: number): number {
    this.chargedMs += costMs;
    return this.submissions.work.charge(this.owner, costMs, performance.now());
  }

  private goOnAfter(waitMs: number, goOn: () => void): void {
    const isGone = (): boolean => !this.isOpen;
    waitForWork(this.submissions.work, this.owner, waitMs, { isGone, goOn });
  }

  /** Makes the team the owner of the connection from the login on, including the CPU charged so far. */
  private becomeCustomer(): boolean {
    const { teamId } = this.session.user as Login;
    if (!this.arrival.place.assignToTeam(teamId)) return false;
    const { work } = this.submissions;
    work.refund(this.owner, this.chargedMs);
    this.owner = `team ${teamId}`;
    work.charge(this.owner, this.chargedMs, performance.now());
    return true;
  }

  /**
   * Resets the limits after an accepted message, and refunds its work. A client that has not logged in pays for the
   * content: the number of its messages has a limit of its own.
   */
  private forgive(): void {
    this.commands = this.refusals = 0;
    this.submissions.work.refund(this.owner, this.isVisitor ? this.chargedMs - this.contentMs : this.chargedMs);
    this.chargedMs = this.contentMs = 0;
  }

  private worded(code: number, data: string | string[] | null | undefined): string | string[] | null | undefined {
    // A mechanism that may not be used yet is not offered (RFC 4954 section 4).
    if (Array.isArray(data)) return this.secure ? data : data.filter((line) => !line.startsWith('AUTH '));
    if (code === 538) return '5.7.11 Encryption required: send STARTTLS first';
    if (code === 530 && !this.secure) return '5.7.0 Must issue a STARTTLS command first';
    if (code === 421 && data?.startsWith('Error: too many') === true) return `4.7.0 ${data}`;
    if (code === 421 && data === 'Server shutting down') return `4.3.2 ${data}`;
    return data;
  }

  /** Ends a session that has not logged in or begun a message in time. A message under way has a clock of its own. */
  private endUnlessBegun(): void {
    if (!this.isVisitor) return;
    const { loginMs, visitMs } = this.submissions.limits;
    const remainingMs = visitMs - (performance.now() - this.since);
    const mayStay = this.submissions.isMx && this.hasBegun && remainingMs > 0;
    if (mayStay || this.isBusy) {
      this.visitTimer = setTimeout(() => this.endUnlessBegun(), mayStay ? remainingMs : loginMs);
    } else {
      const missing = this.submissions.isMx ? 'begun a message' : 'logged in';
      this.send(421, `4.4.2 You have not ${missing}, closing the connection`);
      if (this.isUpgrading) this.hangUp();
    }
  }
}
