import { Reflector } from '@nestjs/core';

/**
 * Every handler that changes something is in the audit log by itself: its action is made from its path, and what it
 * changes is read before and after by the handler that reads the same path. This says what differs.
 */
export interface AuditSettings {
  /** Default: from the path, for example `domains.verify`. */
  readonly action?: string;
  /** Why the handler is not in the log. For operations whose rows record the actor themselves, or that change nothing. */
  readonly notBecause?: string;
}

/** For handlers that only read, although they are no GET. */
export const changesNothing: AuditSettings = { notBecause: 'it changes nothing' };

export const Audited = Reflector.createDecorator<AuditSettings>();
