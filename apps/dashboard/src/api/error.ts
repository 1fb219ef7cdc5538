/**
 * A refusal of the API, in its own words.
 * Status 0: the server could not be reached. Status -1: a failure in the page itself, such as an answer that was cut off.
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }

  static unreachable(): ApiError {
    return new ApiError(0, 'unreachable', '');
  }

  static of(status: number, body: unknown): ApiError {
    const { name, message, code } = (body ?? {}) as { name?: string; message?: string; code?: string };
    return new ApiError(status, name ?? code ?? 'application_error', message ?? '');
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error)) return new ApiError(-1, 'application_error', String(error));
  return new ApiError(-1, error.name, error.message);
}

/**
 * What was asked may have happened: no answer came (0), it was cut off or the page itself failed (-1), or the answer tells of a
 * failure on the way.
 */
export const isUnanswered = (status: number): boolean => status <= 0 || status >= 500;
