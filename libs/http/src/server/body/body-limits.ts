import { DomainError, ValidationError } from '#kernel';

const mebibyte = 1024 * 1024;

/**
 * Maximum size of a request body. 40 MB of attachments may arrive as JSON arrays of integers, with about four
 * characters per byte (docs/wire-contract.md section 6).
 */
export const maxBodyBytes = 170 * mebibyte;

/**
 * Bodies up to this size are passed to `JSON.parse` directly. It takes at most 50 ms for them. A batch of 100 emails of
 * 4 KB is smaller.
 */
export const maxUnscannedBytes = 512 * 1024;

/** Larger strings are cut out of the text for `JSON.parse`. */
export const minCutOutBytes = 16 * 1024;

/** The html and the text of an email become `LargeText` from this number of characters on. */
export const minLargeText = 16 * 1024;

/** Limits of a scanned body. An email has at most 40 MB, so no useful body reaches them. */
export const scanLimits = {
  /** Size of the text in UTF-8 and of the content in base64, however they were written. */
  maxContentBytes: 42 * mebibyte,
  /** Keys, short strings, numbers and punctuation. `JSON.parse` reads them, in about 3 ms per megabyte. */
  maxSkeletonBytes: 16 * mebibyte,
  /** Bytes outside of strings and of arrays of bytes. */
  maxStructureBytes: 4 * mebibyte,
  /** Values in lists and objects. 100 emails with 50 recipients, tags and headers each have 30,000. */
  maxValues: 100_000,
  maxDepth: 64,
  maxKeyBytes: 1_024,
} as const;

export function bodyTooLarge(): DomainError {
  return new DomainError('too_large', 'validation_error', 'The request body is too large.');
}

export function invalidJson(): DomainError {
  return new DomainError('invalid', 'invalid_json', 'The request body is not valid JSON.');
}

export function notUtf8(): DomainError {
  return new DomainError('invalid', 'invalid_json', 'The request body is not valid UTF-8.');
}

export function tooManyValues(): ValidationError {
  return new ValidationError(`A large request body may have at most ${scanLimits.maxValues} values.`);
}

export function tooDeep(): ValidationError {
  return new ValidationError('The request body is nested too deeply.');
}

export function keyTooLong(): ValidationError {
  return new ValidationError(`A key of the request body is longer than ${scanLimits.maxKeyBytes} bytes.`);
}

export function hasNul(): ValidationError {
  return new ValidationError('The request body must not contain NUL characters.');
}

export function brokenKey(): ValidationError {
  return new ValidationError('The keys of the request body must not contain half a surrogate pair.');
}

export function bodyTooSlow(): DomainError {
  return new DomainError('invalid', 'request_timeout', 'The request body did not arrive in time.');
}

export function wrongLength(): DomainError {
  return new DomainError('invalid', 'invalid_json', 'The request body does not have the announced length.');
}

/** Other large bodies of the same team are arriving. */
export function tooManyLargeBodies(): DomainError {
  return new DomainError(
    'limited',
    'rate_limit_exceeded',
    'Too many large requests are under way at once. Please try again.',
  );
}

export function noRoomForBody(): DomainError {
  return new DomainError(
    'unavailable',
    'service_unavailable',
    'The service has no room for the request body at the moment. Please try again.',
  );
}
