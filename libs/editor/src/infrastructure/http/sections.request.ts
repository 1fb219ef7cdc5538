import { isUuid, MissingFieldError, ValidationError } from '#kernel';
import { Example, Field, OptionalField, PartialOf, Shape } from '#http/openapi';
import { maxSectionNameLength } from '../../domain/saved-section.js';
import { bodyOf, nameOf } from './editor.request.js';
import { exampleSection } from './example-ids.js';

const anyDocument = { type: 'object', additionalProperties: true };

@Shape('A section to save.')
@Example('blocks', 'A sentence and a button', { name: 'Call to action', content: exampleSection })
export class SaveSectionRequest {
  @Field(`Its name, at most ${maxSectionNameLength} characters.`, { maxLength: maxSectionNameLength }) name!: string;
  @Field('The blocks, as a document in TipTap JSON. Blocks that are not one section become one.', anyDocument)
  content!: object;
}

@Shape('What changes. What is left out stays.', {
  name: 'Its name.',
  content: 'The blocks, as a document in TipTap JSON.',
})
@Example('name', 'Another name', { name: 'Call to action, short' })
export class UpdateSectionRequest extends PartialOf(SaveSectionRequest) {}

@Shape('Which drafts are updated.')
@Example('first', 'The first drafts', {})
export class ApplySectionRequest {
  @OptionalField('The `next` of the answer before. Left out: from the beginning.', { format: 'uuid' }) after?: string;
}

export function decodeSection(body: unknown): { name: string; content: unknown } {
  const { content } = bodyOf(body);
  if (content === undefined) throw new MissingFieldError('content');
  return { name: nameOf(body), content };
}

export function decodeSectionChanges(body: unknown): { name?: string; content?: unknown } {
  const { name, content } = bodyOf(body);
  if (name !== undefined && typeof name !== 'string') throw new ValidationError('The `name` field must be a string.');
  return { ...(name === undefined ? {} : { name }), ...(content === undefined ? {} : { content }) };
}

export function decodeApplication(body: unknown): string | undefined {
  const { after } = bodyOf(body);
  if (after === undefined) return undefined;
  if (typeof after !== 'string' || !isUuid(after)) throw new ValidationError('The `after` must be a valid UUID.');
  return after;
}
