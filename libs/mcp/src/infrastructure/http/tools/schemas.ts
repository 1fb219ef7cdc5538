const text = (description: string, maxLength: number): object => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

const idOf = (thing: string): object => ({ type: 'string', format: 'uuid', description: `Id of the ${thing}.` });

const addresses = (description: string): object => ({
  type: 'array',
  items: { type: 'string', minLength: 3, maxLength: 640 },
  minItems: 1,
  maxItems: 50,
  description,
});

/** A page of a list. Items are few, since an agent reads all of them. */
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 20, description: 'How many to list. Default: 10.' },
  after: text('`next` of the page before.', 256),
} as const;

export const schemas = { text, idOf, addresses, page };

/** What emails, drafts and broadcasts have in common. */
export const contents = {
  subject: text('The subject.', 998),
  text: text('The content as plain text.', 50_000),
  html: text('The content as HTML.', 100_000),
} as const;
