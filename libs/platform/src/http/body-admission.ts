import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ByteBudget } from '#kernel';
import { maximumBodySize } from './fastify-adapter.js';

/** Bodies up to this size are read at once, as many as come. */
const small = 1024 * 1024;
/**
 * Bytes of larger bodies under way at once. A body of 53 MB (40 MB of mail) takes about four times its size while it is
 * parsed, decoded and stored; what does not fit waits in its connection, where it costs nothing.
 */
const largeBodies = 128 * 1024 * 1024;
/** What a large body counts that does not say how long it will be. */
const unannounced = 64 * 1024 * 1024;

/**
 * Lets large request bodies in one after the other, so that ten at once do not end the process. To be called when the
 * hook that asks for an API key is in place: a stranger must not hold a share.
 */
export function admitLargeBodies(fastify: FastifyInstance): void {
  const budget = new ByteBudget(largeBodies);
  fastify.addHook('preParsing', async (request, reply, payload) => {
    const announced = request.headers['content-length'];
    if (announced === undefined) {
      return request.headers['transfer-encoding'] === undefined ? payload : gradually(payload, request, reply, budget);
    }
    const size = Number(announced);
    if (size > small && size <= maximumBodySize) await admit(size, request, reply, budget);
    return payload;
  });
}

/** Holds its share until the request is over, however it ends. */
async function admit(size: number, request: FastifyRequest, reply: FastifyReply, budget: ByteBudget): Promise<void> {
  await budget.take(size);
  if (request.raw.destroyed || reply.raw.closed) budget.giveBack(size);
  else reply.raw.once('close', () => budget.giveBack(size));
}

/** A body without a length counts as large once it is. Each takes its share once and in full, so none waits for another. */
function gradually(
  payload: NodeJS.ReadableStream,
  request: FastifyRequest,
  reply: FastifyReply,
  budget: ByteBudget,
): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    let size = 0;
    let admitted = false;
    for await (const chunk of payload as IncomingMessage as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (!admitted && size > small) {
        await admit(unannounced, request, reply, budget);
        admitted = true;
      }
      yield chunk;
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}
