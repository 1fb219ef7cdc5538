import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { LiveStream } from './live-stream.js';

/** A response whose client reads when the test says so. */
class FakeResponse {
  text = '';
  writableLength = 0;
  destroyed = false;
  writableEnded = false;
  socket = { resetAndDestroy: () => void (this.destroyed = true) };

  writeHead(): void {}

  write(text: string): void {
    this.text += text;
    this.writableLength += text.length;
  }

  end(): void {
    this.writableEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
  }
}

let response: FakeResponse;
let stream: LiveStream;

beforeEach(() => {
  jest.useFakeTimers();
  response = new FakeResponse();
  stream = new LiveStream(response as unknown as ServerResponse);
  stream.begin({});
});

afterEach(() => {
  jest.useRealTimers();
});

it('an event has its type, its id and its data in one line', () => {
  stream.send({ type: 'emails', emails: [{ id: '1', subject: 'a\nb' }] }, '7');
  expect(response.text).toBe(
    'retry: 2000\n\nevent: emails\nid: 7\ndata: {"emails":[{"id":"1","subject":"a\\nb"}]}\n\n',
  );
});

it('a client that reads too slowly is dropped', () => {
  for (let n = 0; n < 300 && !response.destroyed; n++) {
    stream.send({ type: 'emails', emails: [{ id: 'x'.repeat(1_000) }] }, '7');
  }
  expect([response.destroyed, response.text.length < 300_000]).toEqual([true, true]);
  const { length } = response.text;
  stream.send({ type: 'ready' }, '8');
  expect(response.text).toHaveLength(length);
});

it('a client that has not read the previous heartbeat is dropped', () => {
  stream.heartbeat();
  response.writableLength = 0;
  stream.heartbeat();
  expect(response.destroyed).toBe(false);
  stream.heartbeat();
  expect(response.destroyed).toBe(true);
});

it('a stream ends after ten minutes, so that the permission is checked again', () => {
  jest.advanceTimersByTime(599_000);
  stream.heartbeat();
  expect(response.writableEnded).toBe(false);
  jest.advanceTimersByTime(2_000);
  stream.heartbeat();
  expect(response.writableEnded).toBe(true);
});
