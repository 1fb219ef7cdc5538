import { DomainError, ValidationError } from '#kernel';

/** The state of the broadcast does not allow what was asked. */
export class BroadcastStateError extends DomainError {
  constructor(message: string) {
    super('forbidden', 'validation_error', message);
  }
}

export class BroadcastTooLargeError extends DomainError {
  constructor(maxBytes: number) {
    super(
      'too_large',
      'validation_error',
      `The html and the text of a broadcast together have more than ${maxBytes} bytes.`,
    );
  }
}

export class NoUnsubscribeLinkError extends ValidationError {
  constructor(body: 'html' | 'text') {
    super(
      `The \`${body}\` of the broadcast has no link to unsubscribe. Put \`{{{RESEND_UNSUBSCRIBE_URL}}}\` where the link should be.`,
    );
  }
}

export class MissingFallbackError extends ValidationError {
  constructor(tags: readonly string[]) {
    const named = tags.map((tag) => `\`${tag}\``).join(', ');
    super(
      `${tags.length === 1 ? 'The tag' : 'The tags'} ${named} may have no value: give a fallback, as in \`{{{NAME|there}}}\`, or a contact property of this name with a fallback.`,
    );
  }
}

export class SegmentGoneError extends ValidationError {
  constructor(id: string) {
    super(`The segment \`${id}\` does not exist.`);
  }
}

export class TopicGoneError extends ValidationError {
  constructor(id: string) {
    super(`The topic \`${id}\` does not exist.`);
  }
}
