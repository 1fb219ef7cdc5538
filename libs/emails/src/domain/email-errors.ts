import type { LastEvent } from '#events';
import { DomainError, ValidationError } from '#kernel';

export class MissingBodyError extends ValidationError {
  constructor() {
    super('Missing `html` or `text` field.');
  }
}

export class InvalidMailboxError extends ValidationError {
  constructor(field: string) {
    super(
      `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`,
    );
  }
}

export class EmailTooLargeError extends DomainError {
  constructor() {
    super('too_large', 'validation_error', 'The email is larger than 40 MB, attachments in base64 included.');
  }
}

export class SenderNotAllowedError extends DomainError {
  constructor() {
    super('forbidden', 'validation_error', 'This API key may send from one domain only, and `from` is under another.');
  }
}

export class InvalidAttachmentError extends DomainError {
  constructor(message: string) {
    super('invalid', 'invalid_attachment', message);
  }
}

export class MissingSenderError extends ValidationError {
  constructor() {
    super(
      'The header needs exactly one `From` field with exactly one email address, such as `Name <email@example.com>`. A name with an `@`, a comma, a colon or a bracket must be in double quotes.',
    );
  }
}

export class NotScheduledError extends ValidationError {
  constructor(lastEvent: LastEvent) {
    super(`Only scheduled emails can be updated or canceled, and this one is ${lastEvent}.`);
  }
}

/** Temporary, and not caused by the customer: mail is accepted again once the operator has made room. */
export class NoRoomForMailError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'service_unavailable',
      'The service has no room for more mail at the moment. Please try again.',
    );
  }
}

/** Temporary: attachments of other requests use the memory, or the attachments of this request took too long. */
export class AttachmentsBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The attachments could not be fetched in time. Please try again.');
  }
}
