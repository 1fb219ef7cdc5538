import { parentPort } from 'node:worker_threads';
import { movable } from './movable.js';
import { parsingBegins, type Parser, type ThreadReply, type ThreadRequest } from './parser.js';

/** The code of the thread of `ParserThread`. It handles one request at a time, with one reply each. */
parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then(({ reply, transfer }) => parentPort?.postMessage(reply, transfer));
});

async function answer({ url, bytes, options }: ThreadRequest): Promise<{
  readonly reply: ThreadReply;
  readonly transfer: readonly ArrayBuffer[];
}> {
  try {
    const { parse } = (await import(url)) as Pick<Parser<unknown, unknown>, 'parse'>;
    parentPort?.postMessage(parsingBegins);
    const transfer = new Set<ArrayBuffer>();
    const value = moved(await parse(bytes, options), transfer);
    return { reply: { kind: 'parsed', value }, transfer: [...transfer] };
  } catch (error) {
    return { reply: { kind: 'failed', message: String(error) }, transfer: [] };
  }
}

function moved(value: unknown, transfer: Set<ArrayBuffer>): unknown {
  if (value instanceof Uint8Array) {
    const bytes = movable(value);
    transfer.add(bytes.buffer);
    return bytes;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field instanceof Uint8Array ? moved(field, transfer) : field]),
  );
}
