import { ValidationError } from '#kernel';
import { decodeBody } from '#http/server';
import { AnyObject, Anything, Example, Shape, Text } from '#http/openapi';
import { maxSegmentNameLength, SegmentFilter } from '../../domain/segment.js';

/** Maximum length of a filter, as JSON. */
const maxFilterLength = 16_384;

/** Body of `POST /audiences` and `PATCH /segments/{id}` (docs/wire-contract.md section 13). */
@Shape('The name of a segment.')
@Example('name', 'A name', { name: 'Customers' })
export class SegmentNameRequest {
  @Text('Name of the segment.', { maxLength: maxSegmentNameLength }) name!: string;
}

@Shape('A segment.')
@Example('name', 'A name', { name: 'Customers' })
export class CreateSegmentRequest extends SegmentNameRequest {
  @AnyObject('Conditions that its contacts meet. Without it, contacts are added one by one.', { optional: true })
  filter?: Record<string, unknown>;

  /** An id that old clients send. A segment is its own audience, so nothing follows from it. */
  @Anything('Ignored: a segment is its own audience.', { optional: true, deprecated: true }) audience_id?: string;
}

export function decodeSegmentName(body: unknown): string {
  return decodeBody(SegmentNameRequest, body).name;
}

export function decodeNewSegment(body: unknown): { name: string; filter: SegmentFilter | null } {
  const { name, filter } = decodeBody(CreateSegmentRequest, body);
  if (filter !== undefined && JSON.stringify(filter).length > maxFilterLength) {
    throw new ValidationError(`The \`filter\` field may have at most ${maxFilterLength} characters as JSON.`);
  }
  if (filter !== undefined && JSON.stringify(filter).includes('\\u0000')) {
    throw new ValidationError('The `filter` field must not have null characters.');
  }
  return { name, filter: filter ?? null };
}
