import { EntityHeader, MimeTooComplexError, readEntityHeader } from './entity-header.js';
import { readStructured, StructuredValue } from './structured-value.js';

export interface StructureLimits {
  /** Entities of one message: its parts, and the parts of messages inside it. */
  readonly maxParts: number;
  /** Levels of nested multiparts and messages. */
  readonly maxDepth: number;
  /** Bytes of the header of one entity. */
  readonly maxHeaderBytes: number;
}

export const defaultLimits: StructureLimits = { maxParts: 5_000, maxDepth: 100, maxHeaderBytes: 256 * 1024 };

/** A message or a part of one (RFC 2045): its position in the bytes, and the entities inside it. */
export interface MimeEntity {
  readonly header: EntityHeader;
  readonly type: StructuredValue;
  readonly disposition: StructuredValue;
  readonly bodyStart: number;
  /** Position before the line break that belongs to the next delimiter. Less than `bodyStart` if there is no body. */
  bodyEnd: number;
  readonly children: MimeEntity[];
}

/**
 * An entity whose end has not been read yet. A multipart ends with its closing delimiter, a message inside a part with
 * that part.
 */
interface OpenEntity {
  readonly entity: MimeEntity;
  readonly boundary: string | undefined;
  /** Position in `open` of the enclosing entity with the same boundary, if any. */
  readonly outer: number | undefined;
}

/** RFC 2046 allows 70 characters. */
const maxBoundaryLength = 250;
/** Types of parts without a Content-Type (RFC 2046 section 5.1), parsed once: a message may have thousands of them. */
const plainType = readStructured('text/plain');
const messageType = readStructured('message/rfc822');
const noDisposition = readStructured('');
const lineFeed = 0x0a;
const dash = 0x2d;

/**
 * Finds the parts of a message (RFC 2046 section 5.1) in one pass over its bytes, without a copy. Takes linear time for any
 * input: 30,000 empty parts take 20 ms. Throws MimeTooComplexError if the message exceeds `limits`.
 */
export function readStructure(bytes: Buffer, limits = defaultLimits): MimeEntity {
  return new StructureReader(bytes, limits).read();
}

class StructureReader {
  private readonly open: OpenEntity[] = [];
  /** For each boundary, the position in `open` of the innermost entity with it. */
  private readonly boundaries = new Map<string, number>();
  private parts = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: StructureLimits,
  ) {}

  read(): MimeEntity {
    const root = this.begin(0, undefined);
    let at = this.bodyStartOf(root);
    // Where no boundary is open, the rest is body.
    while (this.boundaries.size > 0) {
      const start = this.nextDashes(at);
      if (start < 0) break;
      const found = this.delimiterAt(start);
      at = found === undefined ? start + 2 : this.delimit(start, found);
    }
    this.closeTo(0, this.bytes.length);
    const isEmpty = root.type.value.startsWith('multipart/') && root.children.length === 0;
    // A message without any part is shown as text, since that is all it has.
    return isEmpty ? { ...root, type: { ...root.type, value: plainType.value } } : root;
  }

  /** Reads the entity whose header is at this position, and a message that begins directly after the header. */
  private begin(from: number, parent: MimeEntity | undefined): MimeEntity {
    if (++this.parts > this.limits.maxParts) {
      throw new MimeTooComplexError(`The message has more than ${this.limits.maxParts} parts`);
    }
    const isDelimiter = (start: number): boolean => this.open.length > 0 && this.delimiterAt(start) !== undefined;
    const header = readEntityHeader(this.bytes, from, this.limits.maxHeaderBytes, isDelimiter);
    const byDefault = parent?.type.value === 'multipart/digest' ? messageType : plainType;
    const [type, disposition] = [header.raw('content-type'), header.raw('content-disposition')];
    const entity: MimeEntity = {
      header,
      type: type === undefined ? byDefault : typeOf(type),
      disposition: disposition === undefined ? noDisposition : readStructured(disposition),
      bodyStart: header.bodyStart,
      bodyEnd: this.bytes.length,
      children: [],
    };
    parent?.children.push(entity);
    this.enter(entity);
    if (isReadableMessage(entity)) this.begin(entity.bodyStart, entity);
    return entity;
  }

  private enter(entity: MimeEntity): void {
    const { value, parameters } = entity.type;
    const boundary = value.startsWith('multipart/')
      ? parameters.get('boundary') || this.firstBoundary(entity.bodyStart)
      : undefined;
    if (this.open.length >= this.limits.maxDepth) {
      throw new MimeTooComplexError(`The message has more than ${this.limits.maxDepth} levels`);
    }
    const isUsable = boundary !== undefined && boundary !== '' && boundary.length <= maxBoundaryLength;
    const outer = isUsable ? this.boundaries.get(boundary) : undefined;
    this.open.push({ entity, boundary: isUsable ? boundary : undefined, outer });
    if (isUsable) this.boundaries.set(boundary, this.open.length - 1);
  }

  private delimit(start: number, { depth, isLast }: { depth: number; isLast: boolean }): number {
    const { entity } = this.open[depth] as OpenEntity;
    this.closeTo(isLast ? depth : depth + 1, this.endBefore(start));
    const next = this.bytes.indexOf(lineFeed, start);
    const behind = next < 0 ? this.bytes.length : next + 1;
    return isLast ? behind : this.bodyStartOf(this.begin(behind, entity));
  }

  /** Position after the header of the innermost message that began with this part. */
  private bodyStartOf(entity: MimeEntity): number {
    let innermost = entity;
    while (innermost.children[0] !== undefined) innermost = innermost.children[0];
    return innermost.bodyStart;
  }

  private closeTo(depth: number, end: number): void {
    while (this.open.length > depth) {
      const { entity, boundary, outer } = this.open.pop() as OpenEntity;
      entity.bodyEnd = end;
      if (boundary === undefined) continue;
      if (outer === undefined) this.boundaries.delete(boundary);
      else this.boundaries.set(boundary, outer);
    }
  }

  /** The boundary of a multipart that does not name it: the first line that looks like a delimiter, as clients guess. */
  private firstBoundary(from: number): string | undefined {
    const start = this.nextDashes(from);
    if (start < 0 || this.delimiterAt(start) !== undefined) return undefined;
    const line = this.bytes.toString('latin1', start, start + 80);
    return /^--(-*[^\s-]\S*)[ \t]*\r?\n/.exec(line)?.[1];
  }

  /** Start of the next line that begins with two dashes. */
  private nextDashes(from: number): number {
    for (let at = from; ;) {
      const found = this.bytes.indexOf('--', at, 'latin1');
      if (found < 0 || found === 0 || this.bytes[found - 1] === lineFeed) return found;
      at = found + 1;
      // A long run of dashes is skipped in one step.
      while (this.bytes[at + 1] === dash) at++;
    }
  }

  private delimiterAt(start: number): { depth: number; isLast: boolean } | undefined {
    const { bytes } = this;
    if (bytes[start] !== dash || bytes[start + 1] !== dash) return undefined;
    const room = Math.min(bytes.length, start + maxBoundaryLength + 1_000);
    const lineEnd = bytes.subarray(start, room).indexOf(lineFeed);
    const line = bytes.toString('utf8', start + 2, lineEnd < 0 ? room : start + lineEnd).trimEnd();
    const depth = this.boundaries.get(line);
    if (depth !== undefined) return { depth, isLast: false };
    const closed = line.endsWith('--') ? this.boundaries.get(line.slice(0, -2)) : undefined;
    return closed === undefined ? undefined : { depth: closed, isLast: true };
  }

  /** Position before the line break in front of a delimiter, which belongs to the delimiter (RFC 2046 section 5.1.1). */
  private endBefore(start: number): number {
    const end = this.bytes[start - 1] === lineFeed ? start - 1 : start;
    return this.bytes[end - 1] === 0x0d ? end - 1 : end;
  }
}

/** A type without a subtype that says no more than `text` is plain text (RFC 2045 section 5.2). */
function typeOf(field: string): StructuredValue {
  const type = readStructured(field);
  return /^(?:text\/?)?$/.test(type.value) ? { ...type, value: plainType.value } : type;
}

/**
 * Whether the entity is a message that is shown as part of the outer message and not as a file. RFC 2046 forbids
 * encoded ones.
 */
export function isReadableMessage({ type, disposition, header }: MimeEntity): boolean {
  if (type.value !== 'message/rfc822' || !['', 'inline'].includes(disposition.value)) return false;
  return !/base64|quoted-printable/i.test(header.raw('content-transfer-encoding') ?? '');
}
