import { ValidateBy } from 'class-validator';

/** A field is valid where the predicate says so; otherwise the request is refused with this sentence. */
export function AllowedBy(predicate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'allowedBy', validator: { validate: predicate, defaultMessage: () => message } });
}
