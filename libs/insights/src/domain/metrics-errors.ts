import { ValidationError } from '#kernel';
import { maxRows } from './metrics-request.js';

export class UnknownTimeZoneError extends ValidationError {
  constructor() {
    super('The `timezone` must be an IANA time zone such as `America/New_York`.');
  }
}

export class TooManyPeriodsError extends ValidationError {
  constructor() {
    super(`The date range has more than ${maxRows} periods of this \`granularity\`.`);
  }
}

export class TooManyRowsError extends ValidationError {
  constructor() {
    super(`The answer would have more than ${maxRows} rows. Use a shorter date range or fewer domains.`);
  }
}
