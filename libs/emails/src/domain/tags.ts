import { ValidationError } from '#kernel';
import { Tag } from './email.js';

const allowed = /^[A-Za-z0-9_-]{1,256}$/;
export const maxTags = 50;

export function checkTags(tags: readonly Tag[] | undefined): readonly Tag[] | null {
  if (tags === undefined || tags.length === 0) return null;
  if (tags.length > maxTags) throw new ValidationError(`The \`tags\` field may have at most ${maxTags} tags.`);
  for (const tag of tags) {
    if (!allowed.test(tag.name) || !allowed.test(tag.value)) {
      throw new ValidationError(
        'Tags should only contain ASCII letters, numbers, underscores, or dashes, and have at most 256 characters.',
      );
    }
  }
  return tags;
}
