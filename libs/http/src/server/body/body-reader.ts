import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ArrivingBody, BodyClock, WatchedBody } from './body-clock.js';
import { bodyTooLarge, bodyTooSlow, maxBodyBytes, maxUnscannedBytes, wrongLength } from './body-limits.js';
import { BodyRoom } from './body-room.js';
import { GrowingBytes } from './growing-bytes.js';
import { SpareBuffers } from './spare-buffers.js';
import { JsonScanner } from './json-scanner.js';
import { JsonParser, parseBody, parseScanned } from './parse-body.js';

/** Bodies up to this size are not charged to an owner: even one for each connection takes little memory. */
export const maxUnchargedBytes = 16 * 1024;
/**
 * How long the rest of a refused body is read and discarded: most clients read the response only after they have sent
 * the body.
 */
const drainMs = 2_000;
/** Bytes that are gathered before they are scanned, so that many tiny chunks cost no more than a few large ones. */
const blockBytes = 64 * 1024;
/** Shared by all bodies: the buffer of a parsed body is used again. */
const spares = new SpareBuffers(4 * 1024 * 1024);

type Done = (error: Error | null, body?: unknown) => void;

export interface BodySource {
  readonly payload: IncomingMessage;
  /** The Content-Length. Undefined if the client did not send it. */
  readonly length: number | undefined;
  readonly clock: BodyClock;
  readonly parseJson: JsonParser;
  /** Called at most once, for a body above `maxUnchargedBytes`. */
  room(): BodyRoom;
}

/** Reads one request body. A body that arrives in one chunk is parsed directly. A large one is scanned while it arrives. */
export class BodyReader implements ArrivingBody {
  readonly startedAt = performance.now();
  receivedBytes = 0;
  private pausedFor = 0;
  private pausedAt: number | undefined;
  private whole: Buffer | undefined;
  private bytes: GrowingBytes | undefined;
  private scanner: JsonScanner | undefined;
  private mark = '';
  private room: BodyRoom | undefined;
  private isDone = false;
  private readonly watched: WatchedBody | undefined;

  constructor(
    private readonly source: BodySource,
    private readonly done: Done,
  ) {
    const { payload, length, clock } = source;
    if (length !== undefined && length > maxBodyBytes) {
      this.isDone = true;
      throwAway(payload, () => done(bodyTooLarge()));
      return;
    }
    payload.on('data', this.onData);
    payload.on('end', this.onEnd);
    payload.on('error', this.onError);
    this.watched = clock.start(this);
  }

  get pausedMs(): number {
    return this.pausedFor + (this.pausedAt === undefined ? 0 : performance.now() - this.pausedAt);
  }

  expire(): void {
    // The rest is not read: the client is too slow.
    this.finish(bodyTooSlow(), undefined, false);
  }

  private readonly onData = (chunk: Buffer): void => {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > maxBodyBytes) return this.finish(bodyTooLarge());
    if (
      this.receivedBytes === chunk.length &&
      chunk.length === this.source.length &&
      chunk.length <= maxUnscannedBytes
    ) {
      this.whole = chunk;
      return;
    }
    try {
      this.keep(chunk);
    } catch (error) {
      return this.finish(error as Error);
    }
    void this.makeRoom();
  };

  private readonly onEnd = (): void => {
    const { length, parseJson } = this.source;
    if (length !== undefined && length !== this.receivedBytes) return this.finish(wrongLength());
    try {
      this.finish(
        null,
        this.scanner === undefined ? parseBody(this.unscanned(), parseJson) : this.scanned(this.scanner),
      );
    } catch (error) {
      this.finish(error as Error);
    }
  };

  private readonly onError = (): void => this.finish(wrongLength());

  private keep(chunk: Buffer): void {
    this.bytes ??= new GrowingBytes(this.firstCapacity(chunk.length), spares);
    this.bytes.append(chunk);
    if (this.scanner === undefined && this.bytes.length > maxUnscannedBytes) {
      this.mark = `${randomBytes(12).toString('base64url')}:`;
      this.scanner = new JsonScanner(this.mark);
    }
    if (this.scanner !== undefined && this.bytes.length >= blockBytes) this.scan(this.scanner, this.bytes);
  }

  /** A client that announces a large body and sends little gets a small buffer. */
  private firstCapacity(arrived: number): number {
    return Math.min(this.source.length ?? maxUnchargedBytes, Math.max(maxUnchargedBytes, 2 * arrived));
  }

  private scan(scanner: JsonScanner, bytes: GrowingBytes): void {
    const { view } = bytes;
    for (let at = 0; at < view.length; at += blockBytes) scanner.push(view.subarray(at, at + blockBytes));
    bytes.truncate(0);
  }

  private unscanned(): Buffer {
    return this.whole ?? this.bytes?.view ?? Buffer.alloc(0);
  }

  private scanned(scanner: JsonScanner): unknown {
    if (this.bytes !== undefined) this.scan(scanner, this.bytes);
    return parseScanned(scanner.end(), this.mark, this.source.parseJson);
  }

  private get keptBytes(): number {
    return (this.bytes?.length ?? 0) + (this.scanner?.keptBytes ?? 0);
  }

  /** Stops reading until there is room for what has arrived. */
  private async makeRoom(): Promise<void> {
    if (this.receivedBytes <= maxUnchargedBytes || this.pausedAt !== undefined) return;
    this.room ??= this.source.room();
    if (!this.room.isFull(this.keptBytes) || this.room.growAtOnce(this.keptBytes)) return;
    const { payload } = this.source;
    this.pausedAt = performance.now();
    payload.pause();
    try {
      await this.room.grow(this.keptBytes);
    } catch (error) {
      return this.finish(error as Error);
    }
    this.pausedFor += performance.now() - this.pausedAt;
    this.pausedAt = undefined;
    if (!this.isDone) payload.resume();
  }

  private finish(error: Error | null, body?: unknown, drains = true): void {
    if (this.isDone) return;
    this.isDone = true;
    const { payload, clock } = this.source;
    clock.stop(this.watched);
    payload.off('data', this.onData);
    payload.off('end', this.onEnd);
    payload.off('error', this.onError);
    this.bytes?.free();
    this.bytes = undefined;
    this.scanner = undefined;
    if (error === null || !drains || payload.destroyed || payload.readableEnded) this.done(error, body);
    else throwAway(payload, () => this.done(error));
  }
}

/** Reads and discards the rest of a body. Calls `done` at its end, or after `drainMs`. */
export function throwAway(payload: IncomingMessage, done: () => void): void {
  const timer = setTimeout(() => answer(), drainMs);
  const answer = (): void => {
    clearTimeout(timer);
    payload.off('end', answer);
    payload.off('close', answer);
    done();
  };
  payload.on('end', answer);
  payload.on('close', answer);
  payload.on('error', () => undefined);
  payload.resume();
}
