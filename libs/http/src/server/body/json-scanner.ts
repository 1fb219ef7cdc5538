import { EncodedBytes } from '#kernel';
import {
  bodyTooLarge,
  invalidJson,
  keyTooLong,
  minCutOutBytes,
  scanLimits,
  tooDeep,
  tooManyValues,
} from './body-limits.js';
import { CutOutBase64 } from './cut-out-base64.js';
import { CutOutText } from './cut-out-text.js';
import { GrowingBytes } from './growing-bytes.js';
import { IntegerScanner, isDigit, isWhitespace } from './integer-scanner.js';
import { endOfWhole, nextInString } from './string-scan.js';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The rest of a body for `JSON.parse`, and the parts that were cut out of it. */
export interface ScannedBody {
  readonly skeleton: Buffer;
  /** In the skeleton, a string of the mark and a number stands for the part with that number. */
  readonly parts: readonly (string | EncodedBytes)[];
}

/**
 * Checks the limits of a large JSON body while it arrives, before it is parsed, and cuts out its long strings and
 * arrays of bytes. So the input of `JSON.parse` is small, and attachments are decoded while they arrive. Takes one pass
 * and linear time. `JSON.parse` checks whether the body is valid JSON.
 */
export class JsonScanner {
  private readonly skeleton = new GrowingBytes(64 * 1024);
  private readonly parts: (string | EncodedBytes)[] = [];
  private readonly isObject = new Uint8Array(scanLimits.maxDepth + 1);
  private state: 'structure' | 'string' | 'cut out' | 'integers' | 'array begins' = 'structure';
  /** Bytes that are kept for the next chunk: an incomplete escape or character. */
  private held: Buffer = Buffer.alloc(0);
  private depth = 0;
  private values = 0;
  private structureBytes = 0;
  private partBytes = 0;
  private isKey = false;
  /** The depth of the fields of an email: 1, or 2 in a batch. */
  private emailDepth = 1;
  /** Whether the next value is that of the `attachments` of an email. */
  private beginsAttachments = false;
  /** The depth of the attachments that are being read. 0: none are. */
  private attachmentsDepth = 0;
  /** Whether the next value belongs to a field that may contain the bytes of an attachment. */
  private mayBeBytes = false;
  private stringStart = 0;
  private cutOut: CutOutText | CutOutBase64 = new CutOutText();
  private integers = new IntegerScanner();

  /** @param mark prefix of the strings that stand for parts. It must be secret, so that the body cannot contain it. */
  constructor(private readonly mark: string) {}

  /** Bytes of the body that are in memory. */
  get keptBytes(): number {
    return this.skeleton.length + this.contentBytes;
  }

  /** Scans a chunk. Throws the refusal where the body exceeds a limit. The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    const block = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = Buffer.alloc(0);
    let at = 0;
    while (at < block.length) at = this.step(block, at);
    if (this.contentBytes > scanLimits.maxContentBytes) throw bodyTooLarge();
    if (this.skeleton.length > scanLimits.maxSkeletonBytes) throw bodyTooLarge();
  }

  end(): ScannedBody {
    if (this.state !== 'structure' || this.held.length > 0) throw invalidJson();
    return { skeleton: this.skeleton.view, parts: this.parts };
  }

  private get contentBytes(): number {
    const current =
      this.state === 'cut out' ? this.cutOut.bytes : this.state === 'integers' ? this.integers.taken.bytes : 0;
    return this.partBytes + current;
  }

  /** Reads until the state changes or the block ends. Returns the position after the bytes that were read. */
  private step(block: Buffer, at: number): number {
    switch (this.state) {
      case 'structure':
        return this.structure(block, at);
      case 'array begins':
        return this.arrayBegins(block, at);
      case 'integers':
        return this.integerArray(block, at);
      case 'string':
      case 'cut out':
        return this.string(block, at);
    }
  }

  private structure(block: Buffer, start: number): number {
    let at = start;
    while (at < block.length && this.state === 'structure') this.token(block[at++] as number);
    this.structureBytes += at - start;
    if (this.structureBytes > scanLimits.maxStructureBytes) throw tooManyValues();
    // The quote of a string is part of the skeleton until the string is cut out.
    if (this.state === 'string') this.stringStart = this.skeleton.length + at - start - 1;
    this.skeleton.append(block.subarray(start, at));
    return at;
  }

  private token(byte: number): void {
    switch (byte) {
      case quote:
        this.state = 'string';
        return;
      case openBrace:
      case openBracket:
        this.open(byte === openBrace);
        return;
      case closeBrace:
      case closeBracket:
        this.depth = Math.max(0, this.depth - 1);
        if (this.depth < this.attachmentsDepth) this.attachmentsDepth = 0;
        this.isKey = false;
        return;
      case comma:
        this.count();
        this.isKey = this.isObject[this.depth] === 1;
        this.mayBeBytes = false;
        this.beginsAttachments = false;
        return;
      case colon:
        this.isKey = false;
    }
  }

  private open(isObject: boolean): void {
    this.count();
    if (++this.depth > scanLimits.maxDepth) throw tooDeep();
    this.isObject[this.depth] = isObject ? 1 : 0;
    this.isKey = isObject;
    if (this.depth === 1) this.emailDepth = isObject ? 1 : 2;
    if (!isObject && this.mayBeBytes) this.state = 'array begins';
    if (!isObject && this.beginsAttachments) this.attachmentsDepth = this.depth;
    this.mayBeBytes = false;
    this.beginsAttachments = false;
  }

  private count(): void {
    if (++this.values > scanLimits.maxValues) throw tooManyValues();
  }

  private arrayBegins(block: Buffer, start: number): number {
    let at = start;
    while (at < block.length && isWhitespace(block[at] as number)) at++;
    if (at === block.length) return at;
    this.state = isDigit(block[at] as number) ? 'integers' : 'structure';
    this.integers = new IntegerScanner();
    return at;
  }

  private integerArray(block: Buffer, start: number): number {
    const { at, ended } = this.integers.read(block, start);
    if (ended === 'no') return at;
    const { taken } = this.integers;
    const isArray = ended === 'closed';
    if (isArray) {
      // The opening bracket is already in the skeleton.
      this.skeleton.truncate(this.skeleton.length - 1);
      this.depth--;
    }
    this.state = 'structure';
    this.partBytes += taken.bytes;
    const placeholder = this.addPart(isArray ? taken.end() : new EncodedBytes(undefined));
    this.skeleton.append(Buffer.from(isArray ? placeholder : this.integers.unfinished(placeholder)));
    return at;
  }

  private string(block: Buffer, start: number): number {
    let at = start;
    for (;;) {
      at = nextInString(block, at);
      if (at === block.length) return this.stringGoesOn(block, start, at);
      if (block[at] === quote) return this.stringEnds(block, start, at);
      const escape = block[at + 1] === 0x75 ? 6 : 2;
      if (at + escape > block.length) return this.stringGoesOn(block, start, at);
      at += escape;
    }
  }

  /** The block ends within a string. Bytes after the last complete character or escape are kept for the next block. */
  private stringGoesOn(block: Buffer, start: number, end: number): number {
    const whole = endOfWhole(block, start, end);
    this.held = Buffer.from(block.subarray(whole));
    this.takeString(block.subarray(start, whole));
    return block.length;
  }

  private stringEnds(block: Buffer, start: number, end: number): number {
    this.takeString(block.subarray(start, end));
    if (this.state === 'cut out') {
      this.partBytes += this.cutOut.bytes;
      this.state = 'structure';
      this.skeleton.append(Buffer.from(this.addPart(this.cutOut.end())));
      return end + 1;
    }
    if (this.isKey) this.keyEnds();
    // The closing quote.
    this.skeleton.append(block.subarray(end, end + 1));
    this.state = 'structure';
    return end + 1;
  }

  private takeString(raw: Buffer): void {
    if (this.state === 'cut out') return this.cutOut.push(raw);
    this.skeleton.append(raw);
    const length = this.skeleton.length - this.stringStart - 1;
    if (this.isKey && length > scanLimits.maxKeyBytes) throw keyTooLong();
    if (length <= minCutOutBytes) return;
    this.cutOut = this.mayBeBytes ? new CutOutBase64() : new CutOutText();
    this.state = 'cut out';
    this.cutOut.push(this.skeleton.from(this.stringStart + 1));
    this.skeleton.truncate(this.stringStart);
  }

  /**
   * Notes what the key that has just been read is for: the bytes of an attachment (docs/wire-contract.md section 7.3) are
   * looked for in the attachments of an email, or of the emails of a batch, and nowhere else.
   */
  private keyEnds(): void {
    const key = this.skeleton.from(this.stringStart + 1);
    this.mayBeBytes = this.attachmentsDepth > 0 && isOneOf(key, ['content', 'data', 'Content']);
    this.beginsAttachments = this.depth === this.emailDepth && isOneOf(key, ['attachments', 'Attachments']);
  }

  /** Adds a part. Returns the JSON string that stands for it. */
  private addPart(part: string | EncodedBytes): string {
    this.parts.push(part);
    return `"${this.mark}${this.parts.length - 1}"`;
  }
}

function isOneOf(key: Buffer, names: readonly string[]): boolean {
  return names.some((name) => key.length === name.length && key.toString('latin1') === name);
}
