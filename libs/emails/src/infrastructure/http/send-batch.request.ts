import { DomainError, ValidationError } from '#kernel';
import { Batch, BatchItem, checkBatchSize } from '../../domain/batch.js';
import { decodeSendRequest } from './send-email.request.js';

/**
 * Decodes the body of `POST /emails/batch` (docs/wire-contract.md section 7.7). The fault of an entry takes the place
 * of its request.
 */
export function decodeBatch(body: unknown, validation: string | undefined, now: Date): Batch {
  if (!Array.isArray(body)) throw new ValidationError('The request body must be an array of emails.');
  checkBatchSize(body.length);
  return { items: body.map((item) => decodeItem(item, now)), permissive: isPermissive(validation) };
}

function decodeItem(item: unknown, now: Date): BatchItem {
  try {
    return decodeSendRequest(item, now);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function isPermissive(validation: string | undefined): boolean {
  switch (validation?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'strict':
      return false;
    case 'permissive':
      return true;
    default:
      throw new ValidationError('The `x-batch-validation` header must be `strict` or `permissive`.');
  }
}
