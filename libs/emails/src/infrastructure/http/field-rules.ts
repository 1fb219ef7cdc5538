import { ValidateBy } from 'class-validator';

/** Validates a field with a predicate. Otherwise the request is refused with the message. */
export function AllowedBy(predicate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'allowedBy', validator: { validate: predicate, defaultMessage: () => message } });
}
