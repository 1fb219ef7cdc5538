import { DomainError, ValidationError } from '#kernel';

/**
 * A CR or LF that is not part of a CRLF. Such content is refused and not repaired: repairing breaks signatures, and
 * passing it on enables SMTP smuggling (a server that takes LF.LF for the end reads the rest as another message).
 */
export class BareLineBreakError extends ValidationError {
  constructor() {
    super('The message has a CR or LF that is not part of a CRLF (RFC 5321 section 2.3.8).');
  }
}

export class HeaderTooLargeError extends DomainError {
  constructor() {
    super('too_large', 'validation_error', 'The header of the message is larger than 256 KB or 10,000 lines.');
  }
}

export class UnusableControlFieldError extends ValidationError {
  constructor(field: string, expected: string) {
    super(`The \`${field}\` header field must ${expected}.`);
  }
}

export class ControlCharacterError extends ValidationError {
  constructor() {
    super('The header of the message has a NUL or another control character (RFC 5322 section 2.2).');
  }
}
