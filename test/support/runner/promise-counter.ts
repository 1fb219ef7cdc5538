/*
 * Loaded into a process of the program by `NODE_OPTIONS=--import=…`: with SIGUSR2 it begins to count promises, and with the next
 * one it writes their number to the file that PROMISE_COUNT names.
 */
import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';

let promises = 0;
let isCounting = false;
const hook = createHook({
  init: (_id, type) => {
    if (type === 'PROMISE') promises++;
  },
});

process.on('SIGUSR2', () => {
  if (isCounting) {
    hook.disable();
    writeFileSync(process.env.PROMISE_COUNT ?? '', String(promises));
  } else {
    promises = 0;
    hook.enable();
  }
  isCounting = !isCounting;
});
