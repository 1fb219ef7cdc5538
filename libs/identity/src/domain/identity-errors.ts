import { DomainError } from '#kernel';

export class MissingApiKeyError extends DomainError {
  constructor() {
    super('unauthenticated', 'missing_api_key', 'Missing API key. Send it as `Authorization: Bearer <key>`.');
  }
}

export class InvalidApiKeyError extends DomainError {
  constructor() {
    super('unauthenticated', 'validation_error', 'API key is invalid');
  }
}

export class RestrictedApiKeyError extends DomainError {
  constructor() {
    super('unauthenticated', 'restricted_api_key', 'This API key is restricted to only send emails');
  }
}
