import { NoRoomForMailError } from '#emails';
import { DomainError, ErrorKind } from '#kernel';
import { MailRefusal } from '../../application/ports/received-mail.port.js';

/** A reply line holds 512 octets, including its code and CRLF (RFC 5321 section 4.5.3.1.5). */
const maxTextLength = 450;

/**
 * A refusal in the form that the server library needs: the reply code, and a text that begins with the enhanced code
 * (RFC 3463).
 */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    enhancedCode: string,
    text: string,
  ) {
    super(`${enhancedCode} ${text}`.slice(0, maxTextLength));
    this.name = 'SmtpRefusal';
  }
}

/** The reply for each kind of refusal. The compiler checks that none is missing (docs/architecture.md section 4). */
const replies: Readonly<Record<ErrorKind, readonly [code: number, enhancedCode: string]>> = {
  invalid: [550, '5.6.0'],
  unauthenticated: [535, '5.7.8'],
  forbidden: [550, '5.7.1'],
  not_found: [550, '5.1.1'],
  conflict: [451, '4.5.0'],
  too_large: [552, '5.3.4'],
  limited: [451, '4.7.1'],
  unavailable: [451, '4.3.0'],
};

/** The reply to any error. An internal error is temporary: the client keeps the message and tries again. */
export function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  if (error instanceof MailRefusal) return new SmtpRefusal(error.replyCode, error.enhancedCode, error.message);
  if (error instanceof NoRoomForMailError) return new SmtpRefusal(451, '4.3.1', error.message);
  if (error instanceof DomainError) return new SmtpRefusal(...replies[error.kind], error.message);
  return new SmtpRefusal(451, '4.3.0', 'Internal error, the message was not accepted: try again later');
}

/** Whether the error is a bug or an outage, to be logged, and not a refusal of what the client did. */
export function isTrouble(error: unknown): boolean {
  return !(error instanceof SmtpRefusal || error instanceof DomainError);
}
