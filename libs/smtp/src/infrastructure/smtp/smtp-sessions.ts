import { setTimeout as delay } from 'node:timers/promises';
import { EmailTooLargeError, maxRecipients } from '#emails';
import { AddressNotAllowedError, Principal } from '#identity';
import { clientKey, clientNetwork, Clock, FairBudget, parseEmailAddress } from '#kernel';
import { Logger } from '#observability/logging';
import type { Counter } from 'prom-client';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { AcceptSubmission } from '../../application/accept-submission.use-case.js';
import type { OtherControlFields } from '../../application/ports/submission-choices.port.js';
import { LoginThrottle } from '../../domain/client-rates.js';
import { InspectedContent } from '../../domain/arriving-content.js';
import { readSubmissionHeader } from '../mime/submission-header.js';
import { isTrouble, refusalOf, SmtpRefusal } from './smtp-refusal.js';
import { VisitorSessions, isBarePostmaster } from './visitor-sessions.js';
import { Receptions } from './reception.js';
import { isVisitor } from './smtp-library.js';
import type { Login } from './connection.js';
import { SmtpHandlers } from './smtp-server.js';

type Done = (error?: Error | null) => void;
type Authentication = Parameters<Required<SMTPServerOptions>['onAuth']>[0];
type AuthenticationDone = Parameters<Required<SMTPServerOptions>['onAuth']>[2];

/**
 * Maximum number of concurrent key lookups, in total and per network, so that strangers cannot keep the database busy.
 */
const keyChecks = { total: 8, maxPerOwner: 2 };

export interface SmtpSessionOptions {
  /** Names that log in, beside an API key as the password. */
  readonly usernames: readonly string[];
  /** Maximum size of a message. */
  readonly messageBytes: number;
  /** Reads the control fields of other providers, where they are understood. */
  readonly others?: OtherControlFields | undefined;
}

/**
 * Handles the commands of the clients of all ports. Those that have logged in submit mail to be sent; those that have
 * not are left to `VisitorSessions`. Errors become replies.
 */
export class SmtpSessions {
  private readonly throttle = new LoginThrottle();
  private readonly keyChecks = new FairBudget(keyChecks);

  constructor(
    private readonly acceptSubmission: AcceptSubmission,
    private readonly options: SmtpSessionOptions,
    private readonly receptions: Receptions,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly refusals: Counter<'code'>,
  ) {}

  /** With `incoming`, clients that have not logged in may send mail to the service itself. */
  readonly handlers = (incoming?: VisitorSessions): SmtpHandlers => ({
    onAuth: (auth: Authentication, session: SMTPServerSession, done: AuthenticationDone): void => {
      this.logIn(auth, session).then((user) => done(null, { user }), this.refuse(session, done));
    },
    onMailFrom: (_address: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
      const begun = incoming !== undefined && isVisitor(session) ? incoming.begin(session) : this.begin(session);
      begun.then(() => done(), this.refuse(session, done));
    },
    onRcptTo: (address: SMTPServerAddress, session: SMTPServerSession, done: Done): void => {
      const isVisit = incoming !== undefined && isVisitor(session);
      const isPostmaster = isVisit && isBarePostmaster(address.address);
      const refusal =
        (isPostmaster ? null : recipientRefusal(address, session)) ??
        (isVisit ? null : (this.refusalOfOneMore(address, session) ?? refusalByKey(address, session)));
      if (refusal !== null || !isVisit) return done(refusal);
      incoming.decide(address, session).then(() => done(), this.refuse(session, done));
    },
    admitContent: (session: SMTPServerSession): Promise<void> => {
      if (incoming !== undefined && isVisitor(session)) return incoming.admitContent(session);
      return this.receptions.admit(session, (session.user as unknown as Login).teamId);
    },
    abandon: (session: SMTPServerSession): void => {
      this.receptions.abandon(session);
      incoming?.abandon(session);
    },
    hold: (session: SMTPServerSession): void => {
      this.receptions.hold(session);
      incoming?.hold(session);
    },
    resume: (session: SMTPServerSession): void => {
      this.receptions.resume(session);
      incoming?.resume(session);
    },
    confirm: (session: SMTPServerSession): Promise<void> | undefined => incoming?.confirm(session),
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
    // The library refuses AUTH before TLS. This check makes sure that a key is never accepted unencrypted.
    if (!session.secure) throw new SmtpRefusal(538, '5.7.11', 'Encryption required: send STARTTLS first');
    // Forms on phones write a capital letter first, and keys are pasted with the white space around them.
    const name = username?.trim().toLowerCase();
    const isKnown = this.options.usernames.some((known) => known.toLowerCase() === name);
    const apiKey = isKnown ? (password ?? '').trim() : '';
    try {
      const { teamId } = await this.check(apiKey, session);
      return { apiKey, teamId };
    } catch (error) {
      // The key is right, so nothing is guessed.
      if (error instanceof AddressNotAllowedError) throw new SmtpRefusal(535, '5.7.1', error.message);
      const refusal = refusalOf(error);
      if (refusal.responseCode !== 535) throw error;
      const failure = this.throttle.failed(clientKey(session.remoteAddress), this.clock.now().getTime());
      await delay(failure.delayMs, undefined, { ref: false });
      if (failure.isTooMany) throw new SmtpRefusal(421, '4.7.0', 'Too many failed logins, try again later');
      throw new SmtpRefusal(535, '5.7.8', 'Authentication failed: the user name or the API key is wrong');
    }
  }

  /** A valid key is always accepted, whatever other clients of the same address have tried. */
  private check(apiKey: string, session: SMTPServerSession): Promise<Principal> {
    const owners = [clientNetwork(session.remoteAddress)];
    return this.keyChecks.during(owners, 1, () => this.acceptSubmission.logIn(apiKey, session.remoteAddress));
  }

  /** Visitors may name more recipients than an email of a customer may have. */
  private refusalOfOneMore({ address }: SMTPServerAddress, { envelope }: SMTPServerSession): SmtpRefusal | null {
    const isRepeated = (): boolean =>
      envelope.rcptTo.some((known) => known.address.toLowerCase() === address.toLowerCase());
    if (envelope.rcptTo.length < maxRecipients || isRepeated()) return null;
    return new SmtpRefusal(452, '4.5.3', 'Too many recipients');
  }

  private async begin(session: SMTPServerSession): Promise<void> {
    const login = session.user as Login | undefined;
    if (!session.secure || !login) throw new SmtpRefusal(530, '5.7.0', 'Authentication required');
    login.principal = await this.acceptSubmission.begin(login.apiKey, session.remoteAddress);
  }

  /**
   * Resolves with the email's id when it is durable. The client has then sent all of its content, even after a refusal.
   */
  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const reception = this.receptions.begin(session, stream);
    const content = new InspectedContent(reception.chunks(), {
      bytes: this.options.messageBytes,
      exceeded: () => new EmailTooLargeError(),
    });
    try {
      return await this.accept(content, session);
    } finally {
      // After a refusal or a repeated idempotency key, content may be left unread.
      await content.close();
      await reception.readToTheEnd(2 * this.options.messageBytes);
    }
  }

  private async accept(content: InspectedContent, session: SMTPServerSession): Promise<string> {
    const { principal } = session.user as Login;
    if (principal === undefined) throw new Error('a message without MAIL');
    const header = readSubmissionHeader(await content.header(), this.clock.now(), this.options.others);
    const recipients = session.envelope.rcptTo.flatMap(({ address }) => parseEmailAddress(address)?.address ?? []);
    const { id } = await this.acceptSubmission.accept(principal, { ...header, recipients, content: content.all() });
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

/** The rules of the key are checked again with the message. Here they refuse the one recipient. */
function refusalByKey({ address }: SMTPServerAddress, { user }: SMTPServerSession): SmtpRefusal | null {
  try {
    (user as Login | undefined)?.principal?.requireRecipients([parseEmailAddress(address)?.address ?? address]);
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}

function recipientRefusal({ address }: SMTPServerAddress, session: SMTPServerSession): SmtpRefusal | null {
  const recipient = parseEmailAddress(address);
  if (recipient === undefined) return new SmtpRefusal(501, '5.1.3', 'The recipient is not a usable email address');
  // RFC 6531 section 3.2: an address beyond ASCII is allowed only if MAIL had SMTPUTF8.
  if (/[^\x20-\x7e]/.test(recipient.address) && session.envelope.smtpUtf8 !== true) {
    return new SmtpRefusal(553, '5.6.7', 'The recipient needs SMTPUTF8');
  }
  return null;
}
