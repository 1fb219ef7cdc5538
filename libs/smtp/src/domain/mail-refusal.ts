import { DomainError, ErrorKind } from '#kernel';

/** A refusal of another server's mail with a reply of its own (RFC 5321 section 4.2, RFC 3463). */
export class MailRefusal extends DomainError {
  constructor(
    readonly replyCode: 450 | 451 | 452 | 550 | 552 | 554,
    readonly enhancedCode: string,
    text: string,
  ) {
    super(kindOf(replyCode), 'mail_refused', text);
  }
}

function kindOf(replyCode: number): ErrorKind {
  return replyCode < 500 ? 'unavailable' : 'forbidden';
}
