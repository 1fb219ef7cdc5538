import { setTimeout as delay } from 'node:timers/promises';
import { EmailTooLargeError } from '#emails';
import { Caller } from '#identity';
import { clientKey, Clock, parseEmailAddress } from '#kernel';
import { Logger } from '#platform/logging';
import type { Counter } from 'prom-client';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { AcceptSubmission } from '../../application/accept-submission.use-case.js';
import { LoginThrottle } from '../../domain/login-throttle.js';
import { SubmissionContent } from '../../domain/submission-content.js';
import { readSubmissionHeader } from '../mime/submission-header.js';
import { isTrouble, refusalOf, SmtpRefusal } from './smtp-refusal.js';
import { IncomingSessions } from './incoming-sessions.js';
import { readToTheEnd } from './read-to-the-end.js';
import { SubmissionLimits } from './submission-limits.js';

/** What a login leaves behind for the rest of the session. */
interface Login {
  readonly apiKey: string;
  /** Who is sending the message that is under way. */
  caller?: Caller;
}

type Handlers = Required<Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onData'>>;
type Done = (error?: Error | null) => void;
type Authentication = Parameters<Required<SMTPServerOptions>['onAuth']>[0];
type AuthenticationDone = Parameters<Required<SMTPServerOptions>['onAuth']>[2];

/** What the clients of all ports say, put to the use case; what becomes of it, put into replies. */
export class SubmissionSessions {
  private readonly throttle = new LoginThrottle();

  constructor(
    private readonly acceptSubmission: AcceptSubmission,
    private readonly usernames: readonly string[],
    private readonly limits: SubmissionLimits,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly refusals: Counter<'code'>,
  ) {}

  /** With `incoming`, who has not logged in may bring mail for the service itself. */
  readonly handlers = (incoming?: IncomingSessions): Handlers => ({
    onAuth: (auth: Authentication, session: SMTPServerSession, done: AuthenticationDone): void => {
      this.logIn(auth, session).then((user) => done(null, { user }), this.refuse(session, done));
    },
    onMailFrom: (_address: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
      const begun = incoming !== undefined && isVisitor(session) ? incoming.begin(session) : this.begin(session);
      begun.then(() => done(), this.refuse(session, done));
    },
    onRcptTo: (address: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
      const visited = incoming !== undefined && isVisitor(session) ? incoming.refusalOf(address) : null;
      done(recipientRefusal(address, session) ?? visited);
    },
    onData: (
      stream: SMTPServerDataStream,
      session: SMTPServerSession,
      done: (error?: Error | null, message?: string) => void,
    ): void => {
      const received =
        incoming !== undefined && isVisitor(session)
          ? incoming.receive(stream, session)
          : this.receive(stream, session);
      received.then((id) => done(null, `OK: ${id}`), this.refuse(session, done));
    },
  });

  private async logIn({ username, password }: Authentication, session: SMTPServerSession): Promise<Login> {
    // The library refuses AUTH before TLS; that a key never passes in the clear does not hang on that alone.
    if (!session.secure) throw new SmtpRefusal(538, '5.7.11', 'Encryption required: send STARTTLS first');
    const address = clientKey(session.remoteAddress);
    if (this.throttle.isBlocked(address, this.clock.now().getTime())) {
      throw new SmtpRefusal(421, '4.7.0', 'Too many failed logins from your address, try again later');
    }
    try {
      const apiKey = this.usernames.includes(username ?? '') ? (password ?? '') : '';
      await this.acceptSubmission.logIn(apiKey);
      this.throttle.succeeded(address);
      return { apiKey };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.responseCode !== 535) throw error;
      await delay(this.throttle.failed(address, this.clock.now().getTime()), undefined, { ref: false });
      throw new SmtpRefusal(535, '5.7.8', 'Authentication failed: the user name or the API key is wrong');
    }
  }

  private async begin(session: SMTPServerSession): Promise<void> {
    const login = session.user as Login | undefined;
    if (!session.secure || !login) throw new SmtpRefusal(530, '5.7.0', 'Authentication required');
    login.caller = await this.acceptSubmission.begin(login.apiKey);
  }

  /** Resolves with the email's id when it is durable. The client has sent all of its content by then, whatever it was. */
  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    stream.on('error', () => undefined);
    const tooSlow = setTimeout(
      () => stream.destroy(new SmtpRefusal(421, '4.4.2', 'The message takes too long')),
      this.limits.dataMs,
    );
    const content = new SubmissionContent(stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>, {
      bytes: this.limits.messageBytes,
      exceeded: () => new EmailTooLargeError(),
    });
    try {
      return await this.accept(content, session);
    } finally {
      // A refusal has not read all of it, and neither has the answer to a repetition.
      await content.close();
      await readToTheEnd(stream, 2 * this.limits.messageBytes);
      clearTimeout(tooSlow);
    }
  }

  private async accept(content: SubmissionContent, session: SMTPServerSession): Promise<string> {
    const { caller } = session.user as Login;
    if (caller === undefined) throw new Error('a message without MAIL');
    const header = readSubmissionHeader(await content.header(), this.clock.now());
    const recipients = session.envelope.rcptTo.flatMap(({ address }) => parseEmailAddress(address)?.address ?? []);
    const { id } = await this.acceptSubmission.execute(caller, { ...header, recipients, content: content.all() });
    return id;
  }

  private refuse(session: SMTPServerSession, done: (error: Error) => void): (error: unknown) => void {
    return (error) => {
      const hasLeft = (error as { code?: unknown }).code === 'ECONNECTION';
      if (isTrouble(error) && !hasLeft) {
        this.logger.error({ error, session: session.id }, 'a message failed; the client was told to try again');
      }
      const refusal = refusalOf(error);
      this.refusals.inc({ code: String(refusal.responseCode) });
      done(refusal);
    };
  }
}

/** Who has not logged in. */
function isVisitor({ user }: SMTPServerSession): boolean {
  return user === undefined || (user as unknown) === false;
}

function recipientRefusal({ address }: SMTPServerAddress, session: SMTPServerSession): SmtpRefusal | null {
  const recipient = parseEmailAddress(address);
  if (recipient === undefined) return new SmtpRefusal(501, '5.1.3', 'The recipient is not a usable email address');
  // RFC 6531 section 3.2: an address beyond ASCII is for whoever has said that it may be.
  if (/[^\x20-\x7e]/.test(recipient.address) && session.envelope.smtpUtf8 !== true) {
    return new SmtpRefusal(553, '5.6.7', 'The recipient needs SMTPUTF8');
  }
  return null;
}
