import type { IncomingMessage } from 'node:http';
import { ArrivingBody, BodyClock } from './body-clock.js';
import { bodyTooLarge, bodyTooSlow, wrongLength } from './body-limits.js';
import { throwAway } from './body-reader.js';

/** A page with 200 check boxes sends 15,600 bytes. */
const maxFormBytes = 16 * 1024;

/** A form as a browser sends it, or a body of any other type, which has no fields. */
export class FormBody {
  constructor(
    private readonly contentType: string,
    /** In the order in which it was sent. */
    readonly text: string,
  ) {}

  /** The fields of a form of a page. Empty for any other form. */
  get fields(): URLSearchParams {
    const isEncoded = /^\s*application\/x-www-form-urlencoded\b/i.test(this.contentType);
    return new URLSearchParams(isEncoded ? this.text : '');
  }
}

/** Reads a form as text. Not charged to an owner, because it is small. */
export function readForm(
  payload: IncomingMessage,
  contentType: string,
  clock: BodyClock,
  done: (error: Error | null, body?: FormBody) => void,
): void {
  const chunks: Buffer[] = [];
  const body: ArrivingBody & { receivedBytes: number } = {
    startedAt: performance.now(),
    receivedBytes: 0,
    pausedMs: 0,
    expire: () => end(bodyTooSlow()),
  };
  let isDone = false;
  const end = (error: Error | null): void => {
    if (isDone) return;
    isDone = true;
    clock.stop(watched);
    payload.off('data', onData);
    if (error === null) return done(null, new FormBody(contentType, Buffer.concat(chunks).toString('utf8')));
    throwAway(payload, () => done(error));
  };
  const onData = (chunk: Buffer): void => {
    body.receivedBytes += chunk.length;
    if (body.receivedBytes > maxFormBytes) return end(bodyTooLarge());
    chunks.push(chunk);
  };
  const watched = clock.start(body);
  payload.on('data', onData);
  payload.on('end', () => end(null));
  payload.on('error', () => end(wrongLength()));
}
