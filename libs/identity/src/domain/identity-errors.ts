import { DomainError, ValidationError } from '#kernel';
import type { Permission } from './permission.js';

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

/** An unknown key, for all operations but sending: clients know it by this status there. */
export class UnknownApiKeyError extends DomainError {
  constructor() {
    super('invalid', 'unknown_api_key', 'API key is invalid');
  }
}

/** The role of the user in the team does not include the permission. */
export class MissingPermissionError extends DomainError {
  constructor(permission: Permission) {
    super('forbidden', 'invalid_permission', `Your role in this team does not include \`${permission}\`.`);
  }
}

/** What the tool wants to make could do more than the tool. */
export class BeyondToolError extends DomainError {
  constructor(permission: Permission) {
    super('forbidden', 'invalid_permission', `This needs \`${permission}\`, which the tool was not given.`);
  }
}

export class DomainOfFullAccessKeyError extends ValidationError {
  constructor() {
    super('The `domain_id` field can only be used with `sending_access`.');
  }
}

export class UnknownKeyDomainError extends ValidationError {
  constructor() {
    super('The `domain_id` field must be the id of one of your domains.');
  }
}

/** What would leave the team without a key that can configure everything through the API. */
export class LastFullAccessKeyError extends DomainError {
  constructor(what: 'be deleted' | 'get the rule `only_drafts`') {
    super(
      'forbidden',
      'validation_error',
      `The last API key with full access cannot ${what}. Create another one with full access first.`,
    );
  }
}
