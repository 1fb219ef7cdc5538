import { isDatabaseTrouble } from '#kernel';

/**
 * The error of several that says least of what became of the mail. After trouble of the database, what has no written outcome
 * was never tried; after anything else it may have been delivered.
 */
export function worstOf(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isDatabaseTrouble(error)) ?? errors[0];
}
