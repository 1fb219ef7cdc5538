import { spawnSync } from 'node:child_process';
import { describe, it } from '@jest/globals';

/** Why the command cannot be used; undefined if it works. */
export function whyNo(command: string, ...args: string[]): string | undefined {
  const { error, status } = spawnSync(command, args);
  return error === undefined && status === 0 ? undefined : `${command} is not installed`;
}

/**
 * `it` and `describe`, or their skipping counterparts if a reason is given. The reason is printed and the tests count as
 * skipped. A test that returned early would count as passed.
 */
export function itUnless(reason: string | undefined): typeof it | typeof it.skip {
  return reason === undefined ? it : printed(reason, it.skip);
}

export function describeUnless(reason: string | undefined): typeof describe | typeof describe.skip {
  return reason === undefined ? describe : printed(reason, describe.skip);
}

function printed<T>(reason: string, skip: T): T {
  console.log(`skipped: ${reason}`);
  return skip;
}
