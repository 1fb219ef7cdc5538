import type { ActingTool, Actor } from '#identity';

/** Who did it: a principal of a team, or the operator with the key of the configuration. */
export type AuditActor = Actor | { readonly kind: 'operator_key' };

/** What one request changed. */
export interface AuditEntry {
  /** UUIDv7: it says when. */
  readonly id: string;
  /** Null: it concerns the installation or a user, no team. */
  readonly teamId: string | null;
  /** For example `domains.update`. */
  readonly action: string;
  /** `unknown`: the process ended before the outcome was stored. */
  readonly outcome: 'done' | 'failed' | 'unknown';
  readonly actor: AuditActor;
  /** The tool that acted for the user. */
  readonly tool: ActingTool | null;
  /** Address of the client. */
  readonly address: string | null;
  /** Id of what was changed. */
  readonly targetId: string | null;
  /** The fields that changed, as they were. Never a secret. */
  readonly before: unknown;
  readonly after: unknown;
}
