import type { Actor } from '#identity';
import { ValidationError } from '#kernel';
import { BroadcastStateError } from './broadcast-errors.js';
import { Broadcast, BroadcastStatus } from './broadcast.js';

const maxAheadMs = 30 * 24 * 3_600_000;
/** Clocks differ and requests take time, so a time just past counts as now. */
const toleranceMs = 60_000;

export function isEditable({ status }: Pick<Broadcast, 'status'>): boolean {
  return status === 'draft' || status === 'scheduled';
}

/** Throws if the broadcast cannot start, or cannot start at this time. Undefined means now. */
export function requireStartable(broadcast: Broadcast, at: Date | undefined, now: Date): void {
  const verb = at === undefined || at <= now ? 'sent' : 'scheduled';
  requireStatus(broadcast, ['draft', 'scheduled'], `Only draft and scheduled broadcasts can be ${verb}.`);
  if (at === undefined) return;
  if (at.getTime() > now.getTime() + maxAheadMs) {
    throw new ValidationError('The `scheduled_at` field must be at most 30 days ahead.');
  }
  if (at.getTime() < now.getTime() - toleranceMs) {
    throw new ValidationError('The `scheduled_at` field must be in the future.');
  }
}

/** The principal that starts a broadcast, and the domain from which `CheckBroadcast` lets it send. */
export interface Start {
  readonly domainId: string;
  readonly actor: Actor;
  readonly now: Date;
}

/** A broadcast that passed `requireStartable`, with its start now or at a time. */
export function started(broadcast: Broadcast, at: Date | undefined, { domainId, actor, now }: Start): Broadcast {
  const start = { ...broadcast, domainId, actor, updatedAt: now };
  if (at === undefined || at <= now) return { ...start, status: 'queued', queuedAt: now };
  return { ...start, status: 'scheduled', scheduledAt: at };
}

/**
 * A scheduled broadcast becomes a draft again. One that is being sent stops, and the emails that were accepted are
 * sent.
 */
export function canceled(broadcast: Broadcast, now: Date): Broadcast {
  if (broadcast.status === 'scheduled') return { ...broadcast, status: 'draft', scheduledAt: null, updatedAt: now };
  requireStatus(broadcast, ['queued', 'paused'], 'Only queued, paused or scheduled broadcasts can be canceled.');
  return { ...broadcast, status: 'canceled', updatedAt: now };
}

export function paused(broadcast: Broadcast, now: Date): Broadcast {
  requireStatus(broadcast, ['queued'], 'Only queued broadcasts can be paused.');
  return { ...broadcast, status: 'paused', updatedAt: now };
}

export function requirePaused(broadcast: Broadcast): void {
  requireStatus(broadcast, ['paused'], 'Only paused broadcasts can be resumed.');
}

/** Continues where it stopped: nobody gets it twice. From then on `actor` sends it. */
export function resumed(broadcast: Broadcast, now: Date, actor: Actor): Broadcast {
  requirePaused(broadcast);
  return { ...broadcast, status: 'queued', actor, updatedAt: now };
}

function requireStatus(broadcast: Broadcast, allowed: readonly BroadcastStatus[], message: string): void {
  if (!allowed.includes(broadcast.status)) throw new BroadcastStateError(message);
}
