/** Bytes of a message: mail programs cut an email of more than 100 KB. Whoever sends larger content uses the API. */
export const maxMessageBytes = 128 * 1024;
/** Values in its lists and objects. With 30,000 arguments, the schemas of the protocol took 160 ms. */
export const maxMessageValues = 2_000;

export function hasFewValues(message: unknown): boolean {
  const found = [message];
  for (let at = 0; at < found.length; at++) {
    const value = found[at];
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value) as unknown[]) if (found.push(part) > maxMessageValues) return false;
  }
  return true;
}
