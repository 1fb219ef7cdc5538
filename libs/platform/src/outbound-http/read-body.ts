import type { Dispatcher } from 'undici';
import { OutboundHttpError } from './outbound-http-error.js';
import type { OutboundRequest } from './outbound-request.js';

/** Read and thrown away, at most, to keep a connection. */
export const drainedBytes = 64 * 1024;

/** Who asked for the request does not want the rest of the answer. */
export class RefusedByCaller extends Error {
  constructor(readonly reason: unknown) {
    super('The answer is not wanted');
  }
}

/**
 * The body up to `maxBytes`. What is cut off is read to its end where that is near, because the connection can then
 * be kept; where it is not, the connection is closed.
 */
export async function readBody(
  { body, headers, statusCode: status }: Dispatcher.ResponseData,
  { maxBytes, cutsBody: cuts = false, checkHead, makeRoom }: OutboundRequest,
): Promise<Buffer> {
  const tooLarge = (): OutboundHttpError => new OutboundHttpError('too_large', 'The answer is too large');
  // A body that is given up says so once more, to nobody.
  body.on('error', () => undefined);
  try {
    await askedCaller(() => checkHead?.({ status, headers }));
    if (!cuts && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes && !cuts) throw tooLarge();
      if (makeRoom !== undefined) await askedCaller(() => makeRoom(chunk.length));
      if (size - chunk.length < maxBytes) chunks.push(chunk);
      if (size > maxBytes + drainedBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, maxBytes);
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function askedCaller(ask: () => void | Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (reason) {
    throw new RefusedByCaller(reason);
  }
}
