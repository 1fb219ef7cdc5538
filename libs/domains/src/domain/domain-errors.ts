import { DomainError } from '#kernel';

export class DomainNotVerifiedError extends DomainError {
  constructor(name: string) {
    super('forbidden', 'validation_error', `The ${name} domain is not verified. Please add and verify your domain.`);
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
