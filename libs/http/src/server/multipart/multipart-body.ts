import type { IncomingMessage } from 'node:http';
import { Busboy, BusboyInstance } from '@fastify/busboy';
import { DomainError, ValidationError } from '#kernel';
import { BodyClock, WatchedBody } from '../body/body-clock.js';
import { bodyTooLarge, bodyTooSlow, wrongLength } from '../body/body-limits.js';
import { maxUnchargedBytes, throwAway } from '../body/body-reader.js';
import { BodyRoom } from '../body/body-room.js';
import { EncodedFormParser, isEncodedForm } from './encoded-form-parser.js';
import { FileChunks, fileTooLarge } from './file-chunks.js';
import { PartQueue } from './part-queue.js';

export type MultipartPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  /** The chunks must be read to their end before the next part is asked for. */
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly filename: string | undefined;
      readonly contentType: string;
      readonly chunks: AsyncIterable<Uint8Array>;
    };

export interface MultipartLimits {
  /** Names of the parts that are files, however the client declares them. All others are fields. */
  readonly files: readonly string[];
  /** Default: each of the files may come once. */
  readonly maxFiles?: number;
  /** Of the whole body. Default: as many bytes as all parts may have. */
  readonly maxBytes?: number;
  readonly maxFileBytes: number;
  readonly maxFieldBytes: number;
  readonly maxFields: number;
  /** Gets the bytes of the body as they arrive, whatever they mean. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Room for boundaries, headers of parts, and what some clients send before and after the parts. */
const maxEnvelopeBytes = 256 * 1024;
/** What is held of one body at once: the buffers of its connection, of the parser and of one chunk of its reader. */
const maxHeldBytes = 2 * 1024 * 1024;

export interface MultipartSource {
  readonly payload: IncomingMessage;
  readonly contentType: string;
  readonly length: number | undefined;
  readonly clock: BodyClock;
  room(): BodyRoom;
}

/**
 * A `multipart/form-data` body (RFC 7578), or an `application/x-www-form-urlencoded` one where a handler takes it, that is read while it arrives: its parts in their order, files in chunks. It
 * is never in memory as a whole. The client has the time of every body, and only a few bodies of one owner that are not
 * small arrive at once.
 */
export class MultipartBody {
  /** Private to the language, so that logs of requests do not find it. */
  readonly #source: MultipartSource;
  #room: BodyRoom | undefined;

  constructor(source: MultipartSource) {
    this.#source = source;
  }

  /** Reads the body, once. Throws a DomainError if it breaks off, or exceeds a limit. */
  async *parts(limits: MultipartLimits): AsyncGenerator<MultipartPart> {
    const { length, payload } = this.#source;
    const maxBytes =
      limits.maxBytes ??
      filesOf(limits) * limits.maxFileBytes + limits.maxFields * limits.maxFieldBytes + maxEnvelopeBytes;
    const reader = new MultipartReader(this.#source, limits, maxBytes);
    try {
      if ((length ?? 0) > maxBytes) throw fileTooLarge(limits.maxFileBytes);
      if (length === undefined || length > maxUnchargedBytes) {
        this.#room = this.#source.room();
        await this.#room.grow(this.heldBytes);
      }
      reader.start();
      for (let part = await reader.next(); part !== undefined; part = await reader.next()) yield part;
    } finally {
      reader.stop();
      // Most clients read the response only after they have sent the body.
      if (!payload.readableEnded && !payload.destroyed && !reader.isLate) {
        await new Promise<void>((resolve) => throwAway(payload, resolve));
      }
    }
  }

  /**
   * Resolves when there is room for all bytes that the reader of the parts keeps, until the request is finished. Throws the
   * refusal if there is none in time. The body waits meanwhile.
   */
  async keep(bytes: number): Promise<void> {
    const held = this.heldBytes + bytes;
    if (this.#room?.isFull(held) === true) await this.#room.grow(held);
  }

  private get heldBytes(): number {
    return Math.min(this.#source.length ?? maxHeldBytes, maxHeldBytes);
  }
}

class MultipartReader {
  isLate = false;
  receivedBytes = 0;
  startedAt = performance.now();
  private pausedFor = 0;
  private pausedAt: number | undefined;
  private readonly queue = new PartQueue<MultipartPart>();
  private readonly parser: BusboyInstance;
  private file: FileChunks | undefined;
  private watched: WatchedBody | undefined;

  constructor(
    private readonly source: MultipartSource,
    private readonly limits: MultipartLimits,
    private readonly maxBytes: number,
  ) {
    this.parser = parserOf(source.contentType, limits);
    this.parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) this.fail(new ValidationError(`The \`${shown(name)}\` field is too long.`));
      else this.queue.push({ kind: 'field', name, value });
    });
    this.parser.on('file', (name, stream, filename: string | undefined, _encoding, contentType) => {
      this.file = new FileChunks(stream, limits.maxFileBytes);
      this.queue.push({ kind: 'file', name, filename, contentType, chunks: this.file });
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      this.parser.on(event, () => this.fail(new ValidationError('The request body has too many parts.')));
    }
    this.parser.on('finish', () => this.queue.end());
    this.parser.on('error', () => this.fail(notMultipart()));
  }

  get pausedMs(): number {
    return this.pausedFor + (this.pausedAt === undefined ? 0 : performance.now() - this.pausedAt);
  }

  start(): void {
    const { payload, clock } = this.source;
    this.startedAt = performance.now();
    payload.on('data', this.onData).on('end', this.onEnd).on('error', this.onBroken).on('close', this.onBroken);
    this.watched = clock.start(this);
  }

  stop(): void {
    const { payload, clock } = this.source;
    clock.stop(this.watched);
    payload.off('data', this.onData).off('end', this.onEnd).off('error', this.onBroken).off('close', this.onBroken);
    this.fail(wrongLength());
  }

  next(): Promise<MultipartPart | undefined> {
    return this.queue.shift();
  }

  expire(): void {
    this.isLate = true;
    this.fail(bodyTooSlow());
  }

  private readonly onData = (chunk: Buffer): void => {
    this.receivedBytes += chunk.length;
    this.limits.onChunk?.(chunk);
    if (this.receivedBytes > this.maxBytes) return this.fail(this.tooLarge());
    if (this.parser.write(chunk)) return;
    const { payload } = this.source;
    payload.pause();
    this.pausedAt = performance.now();
    this.parser.once('drain', () => {
      this.pausedFor += performance.now() - (this.pausedAt ?? performance.now());
      this.pausedAt = undefined;
      payload.resume();
    });
  };

  /** The parser may be behind, and not yet have noticed that it is the file. */
  private tooLarge(): DomainError {
    return this.file === undefined ? bodyTooLarge() : fileTooLarge(this.limits.maxFileBytes);
  }

  private readonly onEnd = (): void => void this.parser.end();

  private readonly onBroken = (): void => {
    if (!this.source.payload.readableEnded) this.fail(wrongLength());
  };

  private fail(error: DomainError): void {
    this.queue.fail(error);
    this.file?.fail(error);
  }
}

const filesOf = ({ files, maxFiles = files.length }: MultipartLimits): number => maxFiles;

function parserOf(contentType: string, limits: MultipartLimits): BusboyInstance {
  // It has all that is used of Busboy.
  if (isEncodedForm(contentType)) return new EncodedFormParser(limits) as unknown as BusboyInstance;
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      highWaterMark: 64 * 1024,
      fileHwm: 64 * 1024,
      isPartAFile: (name) => name !== undefined && limits.files.includes(name),
      limits: {
        fieldNameSize: 100,
        // One byte more than allowed, so that a file of exactly the maximum is not cut.
        fileSize: limits.maxFileBytes + 1,
        fieldSize: limits.maxFieldBytes,
        files: filesOf(limits),
        fields: limits.maxFields,
        parts: filesOf(limits) + limits.maxFields,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw notMultipart();
  }
}

function notMultipart(): ValidationError {
  return new ValidationError('The request body is not valid `multipart/form-data`.');
}

function shown(name: string): string {
  return name.slice(0, 50).replaceAll('`', "'").toWellFormed();
}
