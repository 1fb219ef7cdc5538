import { useEffect, useRef } from 'react';
import { EventLines } from '../logic/event-lines';
import { send } from './client';
import { credentials } from './credentials';

export interface LiveEvent {
  /** The name of the event. */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();
let stream: AbortController | undefined;
const maxWaitMs = 30_000;

/** Calls the listener for each event of the team while the component is shown. All listeners share one stream. */
export function useLive(listener: Listener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const own: Listener = (event) => latest.current(event);
    listeners.add(own);
    open();
    return () => {
      listeners.delete(own);
      if (listeners.size === 0) close();
    };
  }, []);
}

credentials.onTeam(() => {
  if (stream === undefined) return;
  close();
  open();
});

function close(): void {
  stream?.abort();
  stream = undefined;
}

function open(): void {
  if (stream !== undefined) return;
  stream = new AbortController();
  void follow(stream.signal);
}

/** `EventSource` cannot send the header that names the team, so the stream is read here. */
async function follow(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await send(new Request('/live', { headers: { accept: 'text/event-stream' }, signal }));
      // A program without the stream, or a user who may not read it.
      if (response.status === 404 || response.status === 403 || response.status === 401) return;
      if (response.ok && response.body !== null) {
        await read(response.body, () => (failures = 0));
      }
    } catch {
      if (signal.aborted) return;
    }
    failures++;
    await new Promise((done) => setTimeout(done, Math.min(maxWaitMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2)));
  }
}

async function read(body: ReadableStream<Uint8Array>, onEvent: () => void): Promise<void> {
  const lines = new EventLines();
  const reader = body.pipeThrough<string>(new TextDecoderStream() as never).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { type, data } of lines.push(value)) {
      onEvent();
      for (const listener of [...listeners]) listener({ type, data });
    }
  }
}
