import type { ErrorBody, ShapedError } from '#http/server';
import type { DomainError } from '#kernel';
import { bearerKey, Wire } from '../wire.js';

/** `{ errors: [{ message, field, help }] }`. What is not valid has the status 400. */
export function sendgridError({ statusCode, message }: ErrorBody, refusal: DomainError | undefined): ShapedError {
  const status = refusal?.kind === 'invalid' && statusCode === 422 ? 400 : statusCode;
  const [, field = null] = /^`([\w.[\]]{1,200})`/.exec(message) ?? [];
  return { status, body: { errors: [{ message, field, help: null }] } };
}

export const sendgridWire: Wire = {
  name: 'sendgrid',
  shape: sendgridError,
  user: null,
  secret: 'an API key, with or without `SG.` in front of it',
  // Some clients refuse keys that do not begin so.
  tokenOf: ({ headers }) => bearerKey(headers.authorization)?.replace(/^SG\./, ''),
};
