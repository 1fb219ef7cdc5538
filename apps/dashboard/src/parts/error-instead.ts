import type { UseQueryResult } from '@tanstack/react-query';
import { asApiError } from '../api/error';

/**
 * The error that a page shows instead of its data; null: it shows the data. Trouble leaves what was read before, which may be
 * edited just now. What is gone, or may not be read any more, is not shown.
 */
export function errorInstead({ error, data }: UseQueryResult): unknown {
  if (error === null || data === undefined) return error;
  const { status } = asApiError(error);
  return status === 403 || status === 404 ? error : null;
}
