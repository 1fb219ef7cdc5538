import type { Actor } from '#identity';
import { ContentRef } from '../../domain/content-ref.js';
import { Cursor, Presence } from '../../domain/presence.js';

export interface Arrival {
  readonly teamId: string;
  readonly ref: ContentRef;
  readonly clientId: string;
  readonly name: string;
  readonly kind: Presence['kind'];
  readonly actor: Actor;
  readonly isWriting: boolean;
  readonly cursor: Cursor | null;
}

/** Who has which content open, in all processes. References have ids, no aliases. */
export abstract class PresenceBoard {
  /** Notes that somebody is there from now for `forMs`, and returns who is, in the order of their arrival. */
  abstract arrive(arrival: Arrival, forMs: number): Promise<readonly Presence[]>;

  abstract leave(teamId: string, ref: ContentRef, clientId: string): Promise<void>;

  abstract list(teamId: string, ref: ContentRef): Promise<readonly Presence[]>;
}
