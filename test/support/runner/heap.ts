import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use after a full garbage collection. */
export function heapInUse(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}
