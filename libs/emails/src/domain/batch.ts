import { MailElsewhereError } from '#cells';
import { DomainError, ValidationError } from '#kernel';
import { AcceptedEmail } from './accepted-email.js';
import { EmailTooLargeError } from './email-errors.js';
import { maxEmailBytes, SendRequest } from './draft.js';

/** One entry of a batch: a request, or the error with which it was refused. */
export type BatchItem = SendRequest | DomainError;

export interface Batch {
  readonly items: readonly BatchItem[];
  /** True: accepts the valid emails and lists the faults of the others. False: one fault refuses the whole batch. */
  readonly permissive: boolean;
}

export interface BatchFault {
  /** Position in the request. */
  readonly index: number;
  readonly error: DomainError;
}

/** The response to a batch: the accepted emails in the order of the request, and for a permissive batch the faults. */
export interface BatchResponse {
  readonly data: readonly { readonly id: string }[];
  readonly errors?: readonly { readonly index: number; readonly message: string }[];
}

export const maxBatchSize = 100;

/**
 * Returns the response to a batch. Throws for a strict batch with a fault, and for a batch that is too large as a
 * whole.
 */
export function checkBatch(
  batch: Batch,
  emails: readonly AcceptedEmail[],
  faults: readonly BatchFault[],
): BatchResponse {
  refuseSeveralCells(emails, faults);
  const [first] = faults;
  if (first !== undefined && !batch.permissive) throw first.error;
  const size = emails.reduce((sum, { email }) => sum + email.size, 0);
  if (size > maxEmailBytes) throw new EmailTooLargeError();
  const data = emails.map(({ email }) => ({ id: email.id }));
  if (!batch.permissive) return { data };
  return { data, errors: faults.map(({ index, error }) => ({ index, message: error.message })) };
}

/** Throws MailElsewhereError if the batch belongs to another cell. Two cells cannot accept one batch together. */
function refuseSeveralCells(emails: readonly AcceptedEmail[], faults: readonly BatchFault[]): void {
  const elsewhere = faults.flatMap(({ error }) => (error instanceof MailElsewhereError ? error : []));
  const [first] = elsewhere;
  if (first === undefined) return;
  if (emails.length > 0 || elsewhere.some(({ cell }) => cell.name !== first.cell.name)) {
    throw new ValidationError('The senders of a batch must be domains of one region.');
  }
  throw first;
}

export function checkBatchSize(count: number): void {
  if (count < 1 || count > maxBatchSize) {
    throw new ValidationError(`A batch must have between 1 and ${maxBatchSize} emails.`);
  }
}
