import { NoRoomForMailError } from '#emails';
import { DomainError, ErrorKind } from '#kernel';

/** A reply line holds 512 octets, its code and CRLF included (RFC 5321 section 4.5.3.1.5). */
const maxTextLength = 450;

/** What the server library wants: the reply code beside the text, which begins with the enhanced code (RFC 3463). */
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

/** Every kind of refusal has its reply; the compiler sees to it that none is missing (docs/architecture.md section 4). */
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

/** The reply to whatever went wrong. Trouble of our own is temporary: the client keeps the message and tries again. */
export function refusalOf(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  if (error instanceof NoRoomForMailError) return new SmtpRefusal(451, '4.3.1', error.message);
  if (error instanceof DomainError) return new SmtpRefusal(...replies[error.kind], error.message);
  return new SmtpRefusal(451, '4.3.0', 'Internal error, the message was not accepted: try again later');
}

/** Whether it is a bug or an outage, for the log, rather than an answer to what the client did. */
export function isTrouble(error: unknown): boolean {
  return !(error instanceof SmtpRefusal || error instanceof DomainError);
}
