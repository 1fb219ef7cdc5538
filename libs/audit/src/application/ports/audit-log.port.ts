import type { ActingTool } from '#identity';
import { Page, PageRequest } from '#kernel';
import { AuditActor, AuditEntry } from '../../domain/audit-entry.js';

export interface BegunChange {
  readonly id: string;
  readonly teamId: string | null;
  readonly action: string;
  readonly actor: AuditActor;
  readonly tool?: ActingTool | null;
  readonly address: string | null;
  readonly targetId: string | null;
}

export interface ChangeOutcome {
  readonly outcome: 'done' | 'failed';
  readonly targetId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** What was changed in this installation. Entries are only added; retention removes them by age. */
export abstract class AuditLog {
  /** Once this resolves, the change cannot be made without a trace: its entry exists with the outcome `unknown`. */
  abstract begin(change: BegunChange): Promise<void>;

  abstract finish(id: string, outcome: ChangeOutcome): Promise<void>;

  /** Removes an entry whose request was refused before it changed anything. */
  abstract withdraw(id: string): Promise<void>;

  /** Newest first. */
  abstract ofTeam(teamId: string, page: PageRequest): Promise<Page<AuditEntry>>;

  /** Entries of the whole installation, newest first, for its operator. */
  abstract ofAll(page: PageRequest): Promise<Page<AuditEntry>>;
}
