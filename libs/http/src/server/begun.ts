/**
 * Waits for the first piece and returns all pieces, so that no response is started for content that does not exist any
 * more. Undefined if there are no pieces.
 */
export async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<Uint8Array> | undefined> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  return first.done === true ? undefined : continued(first.value, rest);
}

async function* continued(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
