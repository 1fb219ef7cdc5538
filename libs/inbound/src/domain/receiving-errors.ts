import { DomainError } from '#kernel';

export class EmailAboveQuotaError extends DomainError {
  constructor() {
    super('forbidden', 'email_above_quota', 'This email was received above your quota. Raise the quota to read it.');
  }
}
