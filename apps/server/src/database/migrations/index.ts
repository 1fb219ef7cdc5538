import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { SandboxMessages1763700100000 } from './1763700100000-sandbox-messages.js';
import { Suppressions1763700200000 } from './1763700200000-suppressions.js';
import { SendingLimits1763700300000 } from './1763700300000-sending-limits.js';
import { RequestLogs1763700410000 } from './1763700410000-request-logs.js';
import { DomainVerification1763700450000 } from './1763700450000-domain-verification.js';
import { DeliveryTrace1763700460000 } from './1763700460000-delivery-trace.js';
import { Webhooks1763700510000 } from './1763700510000-webhooks.js';
import { AttemptTimings1763700550000 } from './1763700550000-attempt-timings.js';
import { Tracking1763700530000 } from './1763700530000-tracking.js';
import { Feedback1763700520000 } from './1763700520000-feedback.js';

/** In the order in which they run. */
export const migrations = [
  Foundation1763700000000,
  SandboxMessages1763700100000,
  Suppressions1763700200000,
  SendingLimits1763700300000,
  RequestLogs1763700410000,
  DomainVerification1763700450000,
  DeliveryTrace1763700460000,
  Webhooks1763700510000,
  AttemptTimings1763700550000,
  Tracking1763700530000,
  Feedback1763700520000,
];
