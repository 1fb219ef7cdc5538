import type { TeamEvent } from '#events';
import { newId } from '#kernel';
import { Suppression } from './suppression.js';

export function suppressionEvent(
  type: 'suppression.added' | 'suppression.removed',
  suppression: Suppression,
  now: Date,
): TeamEvent {
  return {
    id: newId(now.getTime()),
    teamId: suppression.teamId,
    type,
    // docs/wire-contract.md section 22.4
    data: {
      id: suppression.id,
      email: suppression.email,
      origin: suppression.origin,
      source_id: suppression.sourceId,
      created_at: suppression.createdAt.toISOString(),
    },
    createdAt: now,
  };
}
