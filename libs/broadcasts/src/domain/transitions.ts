import type { Actor } from '#identity';
import { BroadcastStateError } from './broadcast-errors.js';
import { Broadcast, BroadcastStatus } from './broadcast.js';

export function isEditable({ status }: Pick<Broadcast, 'status'>): boolean {
  return status === 'draft' || status === 'scheduled';
}

/** The team and the content are checked before: see `CheckBroadcast`. */
export interface Start {
  readonly domainId: string;
  readonly actor: Actor;
  readonly now: Date;
}

/** Sending begins at once. */
export function queued(broadcast: Broadcast, { domainId, actor, now }: Start): Broadcast {
  requireStatus(broadcast, ['draft', 'scheduled'], 'Only draft and scheduled broadcasts can be sent.');
  return { ...broadcast, status: 'queued', domainId, actor, queuedAt: now, updatedAt: now };
}

/** Sending begins at `at`. */
export function scheduled(broadcast: Broadcast, at: Date, { domainId, actor, now }: Start): Broadcast {
  requireStatus(broadcast, ['draft', 'scheduled'], 'Only draft and scheduled broadcasts can be scheduled.');
  return { ...broadcast, status: 'scheduled', domainId, actor, scheduledAt: at, updatedAt: now };
}

/** What is scheduled becomes a draft again. What is being sent stops: emails that were accepted are sent. */
export function canceled(broadcast: Broadcast, now: Date): Broadcast {
  if (broadcast.status === 'scheduled') return { ...broadcast, status: 'draft', scheduledAt: null, updatedAt: now };
  requireStatus(broadcast, ['queued', 'paused'], 'Only queued, paused or scheduled broadcasts can be canceled.');
  return { ...broadcast, status: 'canceled', updatedAt: now };
}

export function paused(broadcast: Broadcast, now: Date): Broadcast {
  requireStatus(broadcast, ['queued'], 'Only queued broadcasts can be paused.');
  return { ...broadcast, status: 'paused', updatedAt: now };
}

/** Continues where it stopped: nobody gets it twice. */
export function resumed(broadcast: Broadcast, now: Date): Broadcast {
  requireStatus(broadcast, ['paused'], 'Only paused broadcasts can be resumed.');
  return { ...broadcast, status: 'queued', updatedAt: now };
}

/** Every recipient is decided. */
export function sent(broadcast: Broadcast, now: Date): Broadcast {
  requireStatus(broadcast, ['queued'], 'Only queued broadcasts can be finished.');
  return { ...broadcast, status: 'sent', sentAt: now, updatedAt: now };
}

function requireStatus(broadcast: Broadcast, allowed: readonly BroadcastStatus[], message: string): void {
  if (!allowed.includes(broadcast.status)) throw new BroadcastStateError(message);
}
