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
  const [first] = faults;
  if (first !== undefined && !batch.permissive) throw first.error;
  const size = emails.reduce((sum, { email }) => sum + email.size, 0);
  if (size > maxEmailBytes) throw new EmailTooLargeError();
  const data = emails.map(({ email }) => ({ id: email.id }));
  if (!batch.permissive) return { data };
  return { data, errors: faults.map(({ index, error }) => ({ index, message: error.message })) };
}

export function checkBatchSize(count: number): void {
  if (count < 1 || count > maxBatchSize) {
    throw new ValidationError(`A batch must have between 1 and ${maxBatchSize} emails.`);
  }
}
