import { MissingFieldError, ValidationError } from '#kernel';

export const resourceTypes = ['broadcast', 'template'] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** What a document is the content of. The id of a template may be its alias. */
export interface ContentRef {
  readonly type: ResourceType;
  readonly id: string;
}

const maxIdLength = 128;

/** Reads `resource_type` and `resource_id` of a body or a query. */
export function parseContentRef(given: Readonly<Record<string, unknown>>): ContentRef {
  const { resource_type: type, resource_id: id } = given;
  if (type === undefined || type === '') throw new MissingFieldError('resource_type');
  if (id === undefined || id === '') throw new MissingFieldError('resource_id');
  const known = resourceTypes.find((name) => name === type);
  if (known === undefined) throw new ValidationError('The `resource_type` must be `broadcast` or `template`.');
  if (typeof id !== 'string' || id.length > maxIdLength || id.includes('\0')) {
    throw new ValidationError('The `resource_id` must be the id of a broadcast, or the id or alias of a template.');
  }
  return { type: known, id };
}
