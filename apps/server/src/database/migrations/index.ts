import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { SandboxMessages1763700100000 } from './1763700100000-sandbox-messages.js';
import { Suppressions1763700200000 } from './1763700200000-suppressions.js';
import { SendingLimits1763700300000 } from './1763700300000-sending-limits.js';
import { RequestLogs1763700410000 } from './1763700410000-request-logs.js';

/** In the order in which they run. */
export const migrations = [
  Foundation1763700000000,
  SandboxMessages1763700100000,
  Suppressions1763700200000,
  SendingLimits1763700300000,
  RequestLogs1763700410000,
];
