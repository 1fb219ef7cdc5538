import type { Socket } from 'node:net';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPServer } from 'smtp-server';
import type { SubmissionLimits } from './submission-limits.js';

const ownCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** What a connection needs of the server that it came to. */
export interface SubmissionHost extends SMTPServer {
  readonly limits: SubmissionLimits;
  readonly isStopping: boolean;
  /** Other mail servers come here as well, and do not log in. */
  readonly isMx: boolean;
  ended(connection: SubmissionConnection): void;
}

/**
 * One client's connection: what the library's does, and on top of it the limits on commands, refusals and time, and the
 * exact enhanced codes of RFC 3463, where the library has one for each reply code.
 */
export class SubmissionConnection extends SMTPConnection {
  private commands = 0;
  private refusals = 0;
  private readonly loginTimer: NodeJS.Timeout;

  constructor(
    private readonly submissions: SubmissionHost,
    socket: Socket,
    options?: SMTPConnectionOptions | null,
  ) {
    super(submissions, socket, options);
    this.loginTimer = setTimeout(
      () => this.endUnlessLoggedIn(),
      submissions.isMx ? submissions.limits.visitMs : submissions.limits.loginMs,
    );
  }

  /** A message is on its way in, or a reply of ours is awaited. */
  get isBusy(): boolean {
    return this._handlerPending || (this._dataStream !== false && this._dataStream !== null);
  }

  /** 421 for whoever is between two messages; the others are asked again after their next reply. */
  endIfIdle(): void {
    if (!this.isBusy && !this._closing && !this._closed) this.send(421, '4.3.2 Server shutting down');
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const text = this.worded(code, data);
    super.send(code, text, typeof text === 'string' && ownCode.test(text) ? false : context);
    if (code >= 500 && ++this.refusals >= this.submissions.limits.refusals) {
      super.send(421, '4.7.0 Too many errors', false);
    }
    if (context === 'DATA_OK') this.commands = this.refusals = 0;
    if (this.submissions.isStopping && code !== 421) setImmediate(() => this.endIfIdle());
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    if (++this.commands > this.submissions.limits.commands) {
      this.send(421, '4.7.0 Too many commands without a message');
      return;
    }
    super._onCommand(command, callback);
  }

  override _onClose(): void {
    clearTimeout(this.loginTimer);
    const isFirst = !this._closed;
    super._onClose();
    if (isFirst) this.submissions.ended(this);
  }

  private worded(code: number, data: string | string[] | null | undefined): string | string[] | null | undefined {
    // A mechanism that may not be used yet is not offered either (RFC 4954 section 4).
    if (Array.isArray(data)) return this.secure ? data : data.filter((line) => !line.startsWith('AUTH '));
    if (code === 538) return '5.7.11 Encryption required: send STARTTLS first';
    if (code === 530 && !this.secure) return '5.7.0 Must issue a STARTTLS command first';
    if (code === 421 && data?.startsWith('Error: too many') === true) return `4.7.0 ${data}`;
    if (code === 421 && data === 'Server shutting down') return `4.3.2 ${data}`;
    return data;
  }

  private endUnlessLoggedIn(): void {
    if (this.session.user === undefined || this.session.user === false) {
      if (this.isBusy) return void this.loginTimer.refresh();
      this.send(421, '4.4.2 You have not logged in, closing the connection');
    }
  }
}
