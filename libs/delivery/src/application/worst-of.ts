import { isDatabaseTrouble } from '#kernel';

/**
 * Of several errors, the one after which least is known about the mail. After a database error, a recipient without a
 * recorded outcome was never tried; after any other error it may have been delivered.
 */
export function worstOf(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isDatabaseTrouble(error)) ?? errors[0];
}
