import { EntityHeader, MimeTooComplexError, readEntityHeader } from './entity-header.js';
import { readStructured, StructuredValue } from './structured-value.js';

export interface StructureLimits {
  /** Entities of one message: parts, the messages inside it and theirs. */
  readonly maxParts: number;
  /** Multiparts and messages inside each other. */
  readonly maxDepth: number;
  /** Bytes of the header of one entity. */
  readonly maxHeaderBytes: number;
}

export const defaultLimits: StructureLimits = { maxParts: 5_000, maxDepth: 100, maxHeaderBytes: 256 * 1024 };

/** A message or a part of one (RFC 2045): where it lies in the bytes, and the entities inside it. */
export interface MimeEntity {
  readonly header: EntityHeader;
  readonly type: StructuredValue;
  readonly disposition: StructuredValue;
  readonly bodyStart: number;
  /** Before the line break that belongs to the delimiter behind it; below `bodyStart` where there is no body at all. */
  bodyEnd: number;
  readonly children: MimeEntity[];
}

/** A multipart whose delimiter has not closed it yet; of a message inside a part it ends with that part. */
interface OpenEntity {
  readonly entity: MimeEntity;
  readonly boundary: string | undefined;
  /** What the same boundary meant outside of this entity. */
  readonly outer: number | undefined;
}

/** RFC 2046 allows 70 characters. */
const maxBoundaryLength = 250;
/** Of parts that do not say what they are (RFC 2046 section 5.1): thousands may be in one message. */
const plainType = readStructured('text/plain');
const messageType = readStructured('message/rfc822');
const noDisposition = readStructured('');
const lineFeed = 0x0a;
const dash = 0x2d;

/**
 * Finds the parts of a message (RFC 2046 section 5.1) in one pass over its bytes, which it does not copy. Linear in
 * their number whatever they are: 30,000 parts of nothing take 20 ms. Beyond `limits` it throws MimeTooComplexError.
 */
export function readStructure(bytes: Buffer, limits = defaultLimits): MimeEntity {
  return new StructureReader(bytes, limits).read();
}

class StructureReader {
  private readonly open: OpenEntity[] = [];
  /** Positions in `open` by boundary: the innermost of each. */
  private readonly boundaries = new Map<string, number>();
  private parts = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: StructureLimits,
  ) {}

  read(): MimeEntity {
    const root = this.begin(0, undefined);
    let at = this.bodyStartOf(root);
    // Without a boundary to look for all that follows is the body.
    while (this.boundaries.size > 0) {
      const start = this.nextDashes(at);
      if (start < 0) break;
      const found = this.delimiterAt(start);
      at = found === undefined ? start + 2 : this.delimit(start, found);
    }
    this.closeTo(0, this.bytes.length);
    return root;
  }

  /** Reads the header at this position and whatever begins directly behind it. */
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
      type: type === undefined ? byDefault : readStructured(type),
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
    const boundary = entity.type.value.startsWith('multipart/') ? entity.type.parameters.get('boundary') : undefined;
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

  /** Behind the header of the innermost message that began with this part. */
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

  /** Where the next line begins that begins with two dashes. */
  private nextDashes(from: number): number {
    for (let at = from; ;) {
      const found = this.bytes.indexOf('--', at, 'latin1');
      if (found < 0 || found === 0 || this.bytes[found - 1] === lineFeed) return found;
      at = found + 1;
      // A ruler of dashes is passed over at once.
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

  /** The line break before a delimiter belongs to it (RFC 2046 section 5.1.1). */
  private endBefore(start: number): number {
    const end = this.bytes[start - 1] === lineFeed ? start - 1 : start;
    return this.bytes[end - 1] === 0x0d ? end - 1 : end;
  }
}

/** A message inside the message that is shown as part of it, and not as a file. Encoded ones are not allowed anyway. */
export function isReadableMessage({ type, disposition, header }: MimeEntity): boolean {
  if (type.value !== 'message/rfc822' || !['', 'inline'].includes(disposition.value)) return false;
  return !/base64|quoted-printable/i.test(header.raw('content-transfer-encoding') ?? '');
}
