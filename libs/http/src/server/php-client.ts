import type { ErrorBody } from './error-response.js';

/**
 * The names that the PHP client takes for errors (`HttpTransporter::isResendError` of resend-php). It does not look at
 * the status: a body with another name and without the key `error` is data for it, so that `emails->send()` would
 * return an email during a 503, and the mail would be lost without a word.
 */
const knownNames: ReadonlySet<string> = new Set([
  'application_error',
  'concurrent_idempotent_requests',
  'daily_quota_exceeded',
  'internal_server_error',
  'invalid_access',
  'invalid_api_key',
  'invalid_attachment',
  'invalid_from_address',
  'invalid_idempotency_key',
  'invalid_idempotent_request',
  'invalid_parameter',
  'invalid_region',
  'method_not_allowed',
  'missing_api_key',
  'missing_required_field',
  'monthly_quota_exceeded',
  'not_found',
  'rate_limit_exceeded',
  'restricted_api_key',
  'security_error',
  'validation_error',
]);

/** An error as the client reads it that sends this `User-Agent`: the PHP client finds names it does not know in `error`. */
export function readableError(body: ErrorBody, userAgent: string | undefined): ErrorBody {
  const isUnknown = userAgent?.startsWith('resend-php/') === true && !knownNames.has(body.name);
  return isUnknown ? { ...body, error: body } : body;
}
