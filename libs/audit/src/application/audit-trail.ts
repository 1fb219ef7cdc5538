import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { changesBetween } from '../domain/shown-changes.js';
import { AuditLog, BegunChange } from './ports/audit-log.port.js';

export interface OpenChange {
  /** Stores what changed. Never fails: the change has been made. */
  done(change: {
    readonly targetId?: string | null;
    readonly before?: unknown;
    readonly after?: unknown;
  }): Promise<void>;
  /** Nothing was changed. */
  refused(): Promise<void>;
  /** It is not known what was changed. */
  failed(): Promise<void>;
}

/** Records changes: first that one is about to be made, then what it was. */
@Injectable()
export class AuditTrail {
  constructor(private readonly log: AuditLog) {}

  async begin(
    change: Omit<BegunChange, 'id' | 'targetId'> & { readonly targetId?: string | null },
  ): Promise<OpenChange> {
    const id = newId();
    const target = change.targetId ?? null;
    await this.log.begin({ ...change, targetId: target, id });
    return {
      done: ({ targetId = target, before, after }) =>
        quietly(this.log.finish(id, { outcome: 'done', targetId, ...changesBetween(before, after) })),
      refused: () => quietly(this.log.withdraw(id)),
      failed: () => quietly(this.log.finish(id, { outcome: 'failed', targetId: target, before: null, after: null })),
    };
  }

  /** A change that has just been made. */
  async record(
    change: Omit<BegunChange, 'id' | 'targetId'> & { targetId?: string | null; before?: unknown; after?: unknown },
  ): Promise<void> {
    const { before, after, ...begun } = change;
    await (await this.begin(begun)).done({ before, after });
  }
}

/** The entry stays with the outcome `unknown`. */
function quietly(work: Promise<void>): Promise<void> {
  return work.catch(() => undefined);
}
