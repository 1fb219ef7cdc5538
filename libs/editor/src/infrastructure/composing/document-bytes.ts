import { EncodedBytes, LargeText, ValidationError } from '#kernel';
import { maxDocumentBytes, maxNodeDepth } from '../../domain/document/document-node.js';
import { DocumentTooLargeError } from '../../domain/document/parse-document.js';

/** Documents of other editors have attributes that are left out, so a document may be larger before it is checked. */
const maxGivenBytes = 4 * maxDocumentBytes;
/**
 * A node has two levels, its own and that of its `content`: ten leave enough for the attributes of other
 * editors. `JSON.stringify` overflows the stack at some thousands of levels.
 */
const maxLevels = 10 * maxNodeDepth;

/**
 * The JSON of a document of a client. A body may be 170 MB, so its size and depth are checked before it is written: a
 * megabyte takes 2 ms to check and 10 to 20 ms to write.
 */
export function documentBytes(given: unknown): Uint8Array {
  let bytesLeft = maxGivenBytes;
  const check = (value: unknown, depth: number): void => {
    bytesLeft -= sizeOf(value);
    if (bytesLeft < 0) throw new DocumentTooLargeError();
    if (typeof value !== 'object' || value === null || isLeaf(value)) return;
    if (depth > maxLevels) throw new ValidationError(`The \`content\` may be at most ${maxNodeDepth} nodes deep.`);
    for (const key in value) {
      bytesLeft -= key.length;
      check((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    }
  };
  check(given, 0);
  return Buffer.from(JSON.stringify(given) ?? 'null');
}

function isLeaf(value: object): value is LargeText | EncodedBytes {
  return value instanceof LargeText || value instanceof EncodedBytes;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return value instanceof LargeText || value instanceof EncodedBytes ? (value.bytes?.length ?? 0) : 4;
}
