import { expect, it } from '@jest/globals';
import type { Installation, InstallationState } from './ports/installation.port.js';
import { ReadInstallation } from './read-installation.query.js';

it('all who look within a second share one reading, and a failure is not kept', async () => {
  const state = { version: '1' } as InstallationState;
  let reads = 0;
  const installation: Installation = {
    read: async () => {
      if (reads++ === 0) throw new Error('away');
      return state;
    },
  };
  const query = new ReadInstallation(installation);
  await expect(query.state()).rejects.toThrow('away');
  expect(await Promise.all([query.state(), query.state()])).toEqual([state, state]);
  expect(reads).toBe(2);
});
