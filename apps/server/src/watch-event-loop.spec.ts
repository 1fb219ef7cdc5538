import { expect, it } from '@jest/globals';
import type { Postrider } from './postrider.js';
import { watchEventLoop } from './watch-event-loop.js';

it('a program whose HEALTH_LISTEN cannot be used is stopped in order before the error is reported', async () => {
  const events: string[] = [];
  const app = {
    get: (): never => {
      throw new Error('HEALTH_LISTEN cannot be used: listen EADDRINUSE');
    },
  };
  const stop = async (): Promise<void> => {
    await new Promise(setImmediate);
    events.push('stopped');
  };
  const watching = watchEventLoop({ app, url: 'http://localhost', stop } as unknown as Postrider);
  await watching.catch((error: Error) => events.push(error.message));

  expect(events).toEqual(['stopped', 'HEALTH_LISTEN cannot be used: listen EADDRINUSE']);
});
