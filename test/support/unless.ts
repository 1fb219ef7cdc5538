import { spawnSync } from 'node:child_process';
import { describe, it } from '@jest/globals';

/** Why the command cannot be used; undefined where it answers. */
export function whyNo(command: string, ...args: string[]): string | undefined {
  const { error, status } = spawnSync(command, args);
  return error === undefined && status === 0 ? undefined : `${command} is not installed`;
}

/**
 * `it` and `describe`, or, where there is a reason why not, their skipping counterparts. The reason is printed, and the tests
 * are counted as skipped: a test that returns early would be counted as passed.
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
