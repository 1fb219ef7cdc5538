import { addressField } from '#kernel';
import { decodeBody } from '#http/server';
import { Example, Shape, Text } from '#http/openapi';

/** Body of `POST /privacy/exports` and `POST /privacy/erasures`. In the body, because paths are logged. */
@Shape('An address.')
@Example('address', 'An address', { email: 'ada@customer.example' })
export class AddressRequest {
  @Text('Address without a name, in any case.') email!: string;
}

export function decodeAddress(body: unknown): string {
  return addressField('email', decodeBody(AddressRequest, body).email);
}
