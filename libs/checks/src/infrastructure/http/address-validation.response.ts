import { timestampOrNull } from '#http/server';
import { Always, Flag, MomentOrNull, OneOf, OneOfOrNull, Shape, Text, TextOrNull } from '#http/openapi';
import { AddressValidation, mailHostFindings, verdictOf, verdicts } from '../../domain/addresses/address-validation.js';

@Shape('What is known about an address.')
export class AddressValidationResponse {
  @Always('address_validation') object!: 'address_validation';
  @Text('The address, as it was given.', 'ada@gmial.com') email!: string;
  @OneOf(
    verdicts,
    '`bad`: mail to it cannot arrive, or would not be sent: it is no address, its domain takes no mail, or it is suppressed. ' +
      '`risky`: it is probably mistyped, disposable or of a role, or mail to it bounced. `unknown`: nothing of this, and ' +
      'its domain could not be checked. `good`: nothing speaks against it.',
    'risky',
  )
  verdict!: (typeof verdicts)[number];
  @Flag('Whether it is written like an address.', true) valid!: boolean;
  @TextOrNull('The address that was probably meant; null if there is none.', 'ada@gmail.com') suggestion!:
    string | null;
  @OneOf(
    mailHostFindings,
    'What the DNS says of its domain: it has mail hosts (`found`), none, or declares that it takes no mail (`null_mx`, RFC ' +
      '7505). `unknown`: the DNS gave no answer in time. `not_checked`: it is no address, or your team has asked about too ' +
      'many domains in this hour.',
    'found',
  )
  mail_hosts!: (typeof mailHostFindings)[number];
  @Flag('Whether its provider gives mailboxes for some minutes to anybody.', false) disposable!: boolean;
  @Flag('Whether it belongs to a function and not to a person, such as `info@`.', false) role!: boolean;
  @OneOfOrNull(['bounce', 'complaint', 'manual'], 'Why your team sends nothing to it; null if it does.', null)
  suppressed!: string | null;
  @MomentOrNull('When mail of your team to it last bounced, among the emails that are kept; null if none did.')
  bounced_at!: string | null;
}

export function addressValidationResponse(validation: AddressValidation): AddressValidationResponse {
  const { email, isValid, suggestion, mailHosts, isDisposable, isRole, suppressed, bouncedAt } = validation;
  return {
    object: 'address_validation',
    email,
    verdict: verdictOf(validation),
    valid: isValid,
    suggestion: suggestion ?? null,
    mail_hosts: mailHosts,
    disposable: isDisposable,
    role: isRole,
    suppressed: suppressed ?? null,
    bounced_at: timestampOrNull(bouncedAt),
  };
}
