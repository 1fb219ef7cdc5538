import { parentPort } from 'node:worker_threads';
import type { Parser, ThreadReply, ThreadRequest } from './parser.js';

/** The thread's side of `ParserThread`: one request, one reply, in turns. */
parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then(({ reply, transfer }) => parentPort?.postMessage(reply, transfer as ArrayBuffer[]));
});

async function answer({ url, bytes, options }: ThreadRequest): Promise<{
  readonly reply: ThreadReply;
  readonly transfer: readonly ArrayBufferLike[];
}> {
  try {
    const { parse } = (await import(url)) as Pick<Parser<unknown, unknown>, 'parse'>;
    const { value, transfer = [] } = await parse(bytes, options);
    return { reply: { kind: 'parsed', value }, transfer: [...new Set(transfer)] };
  } catch (error) {
    return { reply: { kind: 'failed', message: String(error) }, transfer: [] };
  }
}
