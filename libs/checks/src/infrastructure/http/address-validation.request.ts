import { MissingFieldError, ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Shape, Text, Texts } from '#http/openapi';

export const maxAddresses = 200;

/** Body of `POST /contacts/validate`: `email` or `emails`. */
@Shape('An address, or several: `email` or `emails`, not both.')
@Example('one', 'An address', { email: 'ada@gmial.com' })
@Example('several', 'Several addresses', { emails: ['ada@customer.example', 'info@customer.example'] })
export class ValidateAddressesRequest {
  @Text('Address without a name.', { optional: true }) email?: string;
  @Texts(`Addresses without names, 1 to ${maxAddresses}.`, {
    optional: true,
    minItems: 1,
    maxItems: maxAddresses,
    boundsMessage: `The \`emails\` field must have from 1 to ${maxAddresses} items.`,
  })
  emails?: string[];
}

export function decodeAddresses(body: unknown): readonly string[] {
  const { email, emails } = decodeBody(ValidateAddressesRequest, body);
  if (email !== undefined && emails !== undefined) {
    throw new ValidationError('The `email` and `emails` fields cannot be used together.');
  }
  const addresses = emails ?? (email === undefined ? undefined : [email]);
  if (addresses === undefined) throw new MissingFieldError('email');
  return addresses;
}
