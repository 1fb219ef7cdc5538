import { DomainError } from '#kernel';

/** Why a report cannot be used. The texts are shown to the reporter's server, and to the team in the list of reports. */
export class UnusableReportError extends DomainError {
  constructor(message: string) {
    super('invalid', 'unusable_report', message);
  }
}

/** More reports came for a domain, or from one reporter, than a day may bring. */
export class TooManyReportsError extends DomainError {
  constructor() {
    super('limited', 'too_many_reports', 'Too many reports for this domain today, try again later');
  }
}
