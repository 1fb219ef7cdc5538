/**
 * What a stream tells its client:
 *
 * - `ready`: from here on every change is told. What the client has read before may be older, so it reads again.
 * - `emails`: emails that are new or have changed, as lists show them.
 * - `changed`: so many emails changed that they are not named.
 * - `events`: types of events of the team that belong to no email, such as `domain.updated`.
 * - `reload`: changes were missed.
 */
export type LiveEvent =
  | { readonly type: 'ready' | 'reload' }
  | { readonly type: 'emails'; readonly emails: readonly object[] }
  | { readonly type: 'changed'; readonly topics: readonly string[] }
  | { readonly type: 'events'; readonly events: readonly string[] };
