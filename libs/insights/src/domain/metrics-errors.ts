import { ValidationError } from '#kernel';

export class UnknownTimeZoneError extends ValidationError {
  constructor() {
    super('The `timezone` must be an IANA time zone such as `America/New_York`.');
  }
}

export class TooManyPeriodsError extends ValidationError {
  constructor(maxPeriods: number) {
    super(
      `The date range has more than ${maxPeriods} periods of this \`granularity\`. ` +
        'Use a shorter date range, a coarser granularity or fewer metrics.',
    );
  }
}

export class TooManyRowsError extends ValidationError {
  constructor(maxRows: number) {
    super(
      `The response would have more than ${maxRows} rows. Use a shorter date range, fewer domains or fewer metrics.`,
    );
  }
}
