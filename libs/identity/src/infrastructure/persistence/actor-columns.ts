import { Actor } from '../../domain/principal.js';

/**
 * The columns in which a table stores an actor. An API key is stored in `api_key_id`, and the other two columns are
 * NULL.
 */
export interface ActorColumns {
  readonly api_key_id?: string | null;
  readonly actor_kind?: string | null;
  readonly actor_id?: string | null;
}

export function actorColumns(actor: Actor): ActorColumns {
  switch (actor.kind) {
    case 'api_key':
      return { api_key_id: actor.id };
    case 'user':
      return { actor_kind: actor.kind, actor_id: actor.id };
    case 'service':
      return { actor_kind: actor.kind };
  }
}

export function actorOf({ api_key_id, actor_kind, actor_id }: ActorColumns): Actor {
  if (api_key_id != null) return { kind: 'api_key', id: api_key_id };
  return actor_kind === 'user' && actor_id != null ? { kind: 'user', id: actor_id } : { kind: 'service' };
}
