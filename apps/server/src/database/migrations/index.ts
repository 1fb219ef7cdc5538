import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { SandboxMessages1763700100000 } from './1763700100000-sandbox-messages.js';
import { SendingLimits1763700300000 } from './1763700300000-sending-limits.js';
import { DeliveryTrace1763700410000 } from './1763700410000-delivery-trace.js';

/** In the order in which they run. */
export const migrations = [
  Foundation1763700000000,
  SandboxMessages1763700100000,
  SendingLimits1763700300000,
  DeliveryTrace1763700410000,
];
