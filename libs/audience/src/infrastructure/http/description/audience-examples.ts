import type { ParameterDescription } from '#platform/api-description';

export const contactId = '0193a1f6-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
export const segmentId = '0193a1f6-2d3e-7f4a-9b5c-6d7e8f9a0b1c';
export const topicId = '0193a1f6-3e4f-7a5b-8c6d-7e8f9a0b1c2d';
export const propertyId = '0193a1f6-4f5a-7b6c-9d7e-8f9a0b1c2d3e';

export const idOrEmail: ParameterDescription = {
  description: 'Id of the contact, or its address in any case.',
  example: 'ada@customer.example',
};

export const search: ParameterDescription = {
  description:
    'Only contacts whose address, first name or last name begins with this text, in any case. Of two words, the first may be ' +
    'the first name, and the last name begins with the second.',
  schema: { maxLength: 320 },
  example: 'ada',
};

export const contactSummary = {
  id: contactId,
  email: 'ada@customer.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  created_at: '2026-11-30 20:41:12.3+00',
  unsubscribed: false,
};

export const contact = {
  object: 'contact',
  ...contactSummary,
  properties: { plan: { type: 'string', value: 'pro' }, seats: { type: 'number', value: 12 } },
  updated_at: '2026-11-30 20:45:00.25+00',
  unsubscribed_at: null,
  bounced_at: null,
  complained_at: null,
};

export const summaryFields = {
  id: 'Id of the contact.',
  email: 'The address, in lower case.',
  first_name: 'First name; null where there is none.',
  last_name: 'Last name; null where there is none.',
  created_at: 'When the contact was added.',
  unsubscribed: 'Whether the contact wants no broadcasts at all.',
};

/** The fields that a request may set. */
export const givenFields = {
  email: 'The address, without a name.',
  first_name: 'First name.',
  last_name: 'Last name.',
  unsubscribed: 'Whether the contact wants no broadcasts at all. Default: false.',
  properties: 'Values by the key of a contact property. `null` removes a value; values that are not given stay.',
};

export const aContact = {
  email: 'ada@customer.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  properties: { plan: 'pro', seats: 12 },
};
