import { createHash } from 'node:crypto';

/**
 * Id of the thread that begins with a message: a UUID of version 8 (RFC 9562 section 5.8), made of the message id with
 * its brackets.
 */
export function threadIdOf(messageId: string): string {
  const bits = createHash('sha256').update(messageId).digest('hex');
  return `${bits.slice(0, 8)}-${bits.slice(8, 12)}-8${bits.slice(13, 16)}-8${bits.slice(17, 20)}-${bits.slice(20, 32)}`;
}
