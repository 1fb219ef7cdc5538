import { Page, PageRequest, ValidationError } from '#kernel';
import { Attachment } from '../../domain/email.js';

/**
 * A page of the attachments, in the order in which they were sent. An email has at most a hundred attachments, and its
 * row contains all of them.
 */
export function pageOfAttachments(request: PageRequest, all: readonly Attachment[]): Page<Attachment> {
  const { limit, after, before } = request;
  if (before !== undefined) {
    const end = positionOf(before, all);
    return { items: all.slice(Math.max(0, end - limit), end), hasMore: end > limit };
  }
  const start = after === undefined ? 0 : positionOf(after, all) + 1;
  return { items: all.slice(start, start + limit), hasMore: start + limit < all.length };
}

function positionOf(id: string, all: readonly Attachment[]): number {
  const position = all.findIndex((attachment) => attachment.id === id);
  if (position < 0) throw new ValidationError('The cursor must be the id of an item of the list.');
  return position;
}
