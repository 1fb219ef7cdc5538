import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '../../domain/live-event.js';

/** Bytes that may wait for a client. One that reads more slowly is dropped: it resumes or reloads when it is back. */
const maxWaitingBytes = 256 * 1024;
/** After this time a stream ends, so that the client's permission is checked again. It reconnects and resumes. */
const maxAgeMs = 600_000;
/** How long a client waits before it connects again. */
const retryMs = 2_000;

/** The response to one client, as server-sent events. */
export class LiveStream {
  private readonly openedAt = performance.now();
  private isBehind = false;

  constructor(private readonly response: ServerResponse) {}

  begin(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    this.write(`retry: ${retryMs}

`);
  }

  send(event: LiveEvent, id: string): void {
    const { type, ...data } = event;
    this.write(`event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Shows both sides that the other one is there. A client that has not read the previous one is dropped. */
  heartbeat(): void {
    if (performance.now() - this.openedAt > maxAgeMs) return this.end();
    if (this.isBehind && this.response.writableLength > 0) return this.drop();
    this.write(': here\n\n');
    this.isBehind = this.response.writableLength > 0;
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > maxWaitingBytes) this.drop();
  }

  private drop(): void {
    this.response.socket?.resetAndDestroy();
    this.response.destroy();
  }
}
