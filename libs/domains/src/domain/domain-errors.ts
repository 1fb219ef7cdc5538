import { DomainError } from '#kernel';

export class DomainNotVerifiedError extends DomainError {
  constructor(name: string) {
    super('forbidden', 'validation_error', `The ${name} domain is not verified. Please add and verify your domain.`);
  }
}

export class SendingDisabledError extends DomainError {
  constructor(name: string) {
    super('forbidden', 'validation_error', `Sending is disabled for the ${name} domain. Enable it to send from it.`);
  }
}

export class SandboxDomainError extends DomainError {
  constructor(name: string) {
    super(
      'forbidden',
      'validation_error',
      `The ${name} domain is for the built-in inbox only, and this server sends mail to the internet. Please add and verify your domain.`,
    );
  }
}

export class DomainTakenError extends DomainError {
  constructor(name: string) {
    super('forbidden', 'validation_error', `The ${name} domain has been registered already.`);
  }
}

export class UnknownRegionError extends DomainError {
  constructor(regions: readonly string[]) {
    super('invalid', 'invalid_region', `The \`region\` must be one of ${regions.join(', ')}.`);
  }
}

export class KeySlotOccupiedError extends DomainError {
  constructor() {
    super(
      'conflict',
      'resource_locked',
      'The keys were rotated a short time ago: mail signed with the previous ones may still be on its way. Try again later.',
    );
  }
}

/** Somebody else has changed the domain each time it was tried. */
export class DomainBusyError extends DomainError {
  constructor() {
    super('conflict', 'resource_locked', 'The domain is being changed by other requests. Try again.');
  }
}
