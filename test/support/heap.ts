import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use after everything that can be collected is. */
export function heapInUse(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}
