import type { Actor } from '#identity';
import { SenderProfile, SenderProfileChanges } from '../../domain/sender-profile.js';

/** How teams present themselves to recipients. */
export abstract class SenderProfiles {
  /** Undefined if there is no such team. */
  abstract find(teamId: string): Promise<SenderProfile | undefined>;

  /** Absent fields stay as they are, null removes them. */
  abstract change(teamId: string, changes: SenderProfileChanges, actor: Actor, at: Date): Promise<void>;
}
