import type { Dispatcher } from 'undici';
import { OutboundHttpError } from './outbound-http-error.js';
import type { OutboundRequest } from './outbound-request.js';

/** Maximum number of bytes that are read and discarded in order to keep a connection, unless the request has its own. */
export const drainedBytes = 64 * 1024;

/** The caller does not want the rest of the response. */
export class RefusedByCaller extends Error {
  constructor(readonly reason: unknown) {
    super('The response is not wanted');
  }
}

/**
 * Reads the body up to `maxBytes`. The rest of a body that is cut off is read if it is short, so that the connection can be
 * kept. Otherwise the connection is closed.
 */
export async function readBody(
  { body, headers, statusCode: status }: Dispatcher.ResponseData,
  { maxBytes, cutsBody: cuts = false, maxDrainedBytes = drainedBytes, checkHead, makeRoom }: OutboundRequest,
): Promise<Buffer> {
  const tooLarge = (): OutboundHttpError => new OutboundHttpError('too_large', 'The response is too large');
  // A destroyed body emits another error, which would be unhandled.
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
      if (size > maxBytes + maxDrainedBytes) break;
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
