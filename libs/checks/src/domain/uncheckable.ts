import { ValidationError } from '#kernel';

/** The message cannot be read within the limits of the checks. */
export class UncheckableError extends ValidationError {
  constructor(why: string) {
    super(`The message cannot be checked: ${why}.`);
  }
}
