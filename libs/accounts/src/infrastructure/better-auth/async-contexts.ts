import type { AsyncLocalStorage } from 'node:async_hooks';

export type AsyncContext = Pick<AsyncLocalStorage<unknown>, 'disable'>;

/** What work may go on with after its response is there. */
const restMs = 2_000;

// Of the process, as what Node does for them is, and as those of better-auth are.
const used = new Set<AsyncContext>();
let running = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Runs work that uses these storages, and disables them when no such work has run for a while. With Node 20 and 22, one that
 * was used once makes each `await` of the whole process dearer for as long as it is enabled: 500,000 of them took 31 ms before
 * the first request to sign in, and 209 to 292 after it. Node 24 does not need it.
 */
export async function inContexts<Result>(
  storages: readonly AsyncContext[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const storage of storages) used.add(storage);
  running++;
  clearTimeout(timer);
  try {
    return await work();
  } finally {
    running--;
    if (running === 0) timer = setTimeout(disable, restMs).unref();
  }
}

function disable(): void {
  for (const storage of used) storage.disable();
  used.clear();
}
