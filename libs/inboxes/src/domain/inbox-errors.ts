import { DomainError, ValidationError } from '#kernel';
import { maxInboxes, maxLabels } from './inbox.js';

export class TooManyInboxesError extends DomainError {
  constructor() {
    super('forbidden', 'validation_error', `A team may have at most ${maxInboxes.toLocaleString('en')} inboxes.`);
  }
}

export class InboxTakenError extends ValidationError {
  constructor(address: string) {
    super(`Your team has an inbox for ${address} already.`);
  }
}

export class ReceivingDisabledError extends DomainError {
  constructor(domain: string) {
    super(
      'forbidden',
      'validation_error',
      `Receiving is disabled for the ${domain} domain. Enable it, or set \`forwarding\` and let your server forward the mail.`,
    );
  }
}

export class TooManyLabelsError extends ValidationError {
  constructor() {
    super(`An inbox may have at most ${maxLabels} labels.`);
  }
}

export class LabelTakenError extends ValidationError {
  constructor(name: string) {
    super(`The inbox has a label \`${name}\` already.`);
  }
}
