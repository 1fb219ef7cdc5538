/** What the codes of failed connections mean. The code stands behind it, because operators search for it. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the host refused the connection: nothing listens there'],
  ['ECONNRESET', 'the host closed the connection without a word'],
  ['EPIPE', 'the host closed the connection'],
  ['EHOSTUNREACH', 'no route leads to the host'],
  ['ENETUNREACH', 'no route leads to the network of the host'],
  ['ETIMEDOUT', 'the host did not answer'],
]);

/** A cause in plain words: a code of the system, or a message that is left as it is. */
export function plainCause(cause: string): string {
  const meaning = meanings.get(cause);
  return meaning === undefined ? cause : `${meaning} (${cause})`;
}
