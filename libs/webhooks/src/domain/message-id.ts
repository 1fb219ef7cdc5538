import { NotFoundError, ValidationError } from '#kernel';

/** The public forms of ids (docs/wire-contract.md section 1.4): `msg_` or `atmpt_` and the UUID without dashes. */
const pattern = /^(?:msg|atmpt)_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

export function publicMessageId(id: string): string {
  return `msg_${id.replaceAll('-', '')}`;
}

export function publicAttemptId(id: string): string {
  return `atmpt_${id.replaceAll('-', '')}`;
}

/** Reads the id in a path. Text that is not a message id gives the same error as an unknown message. */
export function messageIdFromPath(text: string): string {
  const id = text.startsWith('msg_') ? uuidOf(text) : undefined;
  if (id === undefined) throw new NotFoundError('Webhook event');
  return id;
}

/** Reads the cursor in a query: the id of an item of the list. */
export function idFromCursor(text: string): string {
  const id = uuidOf(text);
  if (id === undefined) throw new ValidationError('The cursor must be the id of an item of the list.');
  return id;
}

function uuidOf(text: string): string | undefined {
  return pattern.exec(text.toLowerCase())?.slice(1).join('-');
}
