import { DomainError, maxPageSize, parsePageRequest } from '#kernel';
import { idFromPath } from '#platform/http';
import type { ParameterDescription } from './api-description.js';

const exampleCursor = '01933a5e-7f7b-7d4c-9a57-2f1d8f0c4b12';

const cursors: Readonly<Record<'after' | 'before', ParameterDescription>> = {
  after: {
    description:
      'Id of an item of the list: the page begins behind it. Take the id of the last item to get the next page. ' +
      'Not together with `before`.',
    schema: { maxLength: 256 },
    example: exampleCursor,
  },
  before: {
    description:
      'Id of an item of the list: the page ends in front of it. Take the id of the first item to get the page before. ' +
      'Not together with `after`.',
    schema: { maxLength: 256 },
    example: exampleCursor,
  },
};

/** Of lists that are always answered in pages. */
export const pageParameters: Readonly<Record<string, ParameterDescription>> = {
  limit: { description: `Number of items in the page, from 1 to ${maxPageSize}.`, example: 10 },
  ...cursors,
};

/** Of lists that are answered as a whole where none of the three is given (docs/wire-contract.md section 1.5). */
export const wholeListParameters: Readonly<Record<string, ParameterDescription>> = {
  limit: {
    description:
      `Number of items in the page, from 1 to ${maxPageSize}. Without \`limit\`, \`after\` and \`before\` the list ` +
      'is answered as a whole; with a cursor alone, 20 items.',
    schema: { default: undefined },
    example: 10,
  },
  ...cursors,
};

/** Refusals of all lists with these parameters. */
export const pageErrors: readonly DomainError[] = [
  thrownBy(() => parsePageRequest({ limit: '0' })),
  thrownBy(() => parsePageRequest({ after: exampleCursor, before: exampleCursor })),
];

/** An id in a path that must be a UUID. */
export function idParameter(description: string, example: string): ParameterDescription {
  return { description, schema: { format: 'uuid' }, example };
}

/** The refusal of an id in a path that is no UUID. */
export function invalidId(name: string): DomainError {
  return thrownBy(() => idFromPath(name, 'not-a-uuid'));
}

/** The refusal that a check of the program throws, so that its text in the description is its own. */
export function thrownBy(check: () => unknown): DomainError {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('An example of a refusal is not refused');
}
