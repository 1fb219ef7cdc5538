import type { ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../domain/principal.js';

/**
 * Records what requests change. `PrincipalGuard` calls it for every request that it has accepted, before the handler
 * runs, so that no handler can be forgotten. The recorder finds the end of the request itself.
 */
export abstract class ChangeRecorder {
  /**
   * Returns undefined if the request is not recorded, so that such a request waits for nothing. Throws if it cannot be
   * recorded.
   */
  abstract begin(context: ExecutionContext, principal: Principal): Promise<void> | undefined;
}
