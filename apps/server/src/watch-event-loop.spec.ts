import { expect, it } from '@jest/globals';
import type { Postrider } from './postrider.js';
import { watchEventLoop } from './watch-event-loop.js';

it('a program that cannot be watched as it is configured is stopped in order before that is told', async () => {
  const told: string[] = [];
  const app = {
    get: (): never => {
      throw new Error('HEALTH_LISTEN cannot be used: listen EADDRINUSE');
    },
  };
  const stop = async (): Promise<void> => {
    await new Promise(setImmediate);
    told.push('stopped');
  };
  const watching = watchEventLoop({ app, url: 'http://localhost', stop } as unknown as Postrider);
  await watching.catch((error: Error) => told.push(error.message));

  expect(told).toEqual(['stopped', 'HEALTH_LISTEN cannot be used: listen EADDRINUSE']);
});
