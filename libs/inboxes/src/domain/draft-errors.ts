import { DomainError, ValidationError } from '#kernel';
import { maxDraftBodyBytes, maxFileBytes, maxFiles, maxOpenDrafts, maxTeamFileBytes } from './draft.js';

const megabyte = 1024 * 1024;

export class EmptyDraftError extends ValidationError {
  constructor() {
    super('A draft needs at least one of `to`, `cc`, `bcc`, `subject`, `text`, `html` and `attachments`.');
  }
}

export class NoDraftChangesError extends ValidationError {
  constructor() {
    super('Give at least one of `to`, `cc`, `bcc`, `subject`, `text`, `html` and `attachments`.');
  }
}

export class HalfReplyError extends ValidationError {
  constructor() {
    super('The `thread_id` and `reply_to_email_id` fields can only be used together.');
  }
}

export class DraftTooLargeError extends ValidationError {
  constructor() {
    super(`The \`html\` and \`text\` of a draft may have at most ${maxDraftBodyBytes / megabyte} MB together.`);
  }
}

export class TooManyDraftsError extends ValidationError {
  constructor() {
    super(`A team may have at most ${maxOpenDrafts} drafts that are not sent. Send or delete some of them first.`);
  }
}

export class DraftsFullError extends ValidationError {
  constructor() {
    super(
      `The attachments of all drafts of a team may have at most ${maxTeamFileBytes / megabyte} MB. Send or delete some drafts first.`,
    );
  }
}

export class DraftSentError extends ValidationError {
  constructor() {
    super('The draft has been sent and cannot be changed any more.');
  }
}

export class TooManyFilesError extends ValidationError {
  constructor() {
    super(`The \`attachments\` field may have at most ${maxFiles} files.`);
  }
}

export class FilesTooLargeError extends ValidationError {
  constructor() {
    super(`The attachments may have at most ${maxFileBytes / megabyte} MB together.`);
  }
}

export class UnreadableEmailError extends ValidationError {
  constructor() {
    super('The email cannot be forwarded because its content cannot be read.');
  }
}

export class NobodyToAnswerError extends ValidationError {
  constructor() {
    super('The email names no address to which an answer could go.');
  }
}

/** Temporary: mail of other requests uses the memory. */
export class SendingBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too much large mail is being sent. Please try again.');
  }
}

/** Somebody goes on changing the draft while it is being sent. */
export class DraftChangesError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The draft was changed while it was being sent. Please try again.');
  }
}
