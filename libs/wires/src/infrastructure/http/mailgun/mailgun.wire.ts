import type { ErrorBody, ShapedError } from '#http/server';
import type { DomainError } from '#kernel';
import { basicPassword, Wire } from '../wire.js';
import { webhookSigningKey } from './mailgun-webhook.js';

/** `{ message }`. What is not valid has the status 400. */
export function mailgunError({ statusCode, message }: ErrorBody, refusal: DomainError | undefined): ShapedError {
  const status = refusal?.kind === 'invalid' && statusCode === 422 ? 400 : statusCode;
  return { status, body: { message } };
}

export const mailgunWire: Wire = {
  name: 'mailgun',
  shape: mailgunError,
  user: 'api',
  secret: 'an API key, as the password of the user `api`',
  webhookSigningKey,
  tokenOf: ({ headers }) => basicPassword(headers.authorization),
};
