import { DomainError } from '#kernel';

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

export class TooManyStreamsError extends DomainError {
  constructor(max: number) {
    super('limited', 'rate_limit_exceeded', `Your team has ${max} live streams open. Close one and try again.`);
  }
}

export class NoRoomForStreamsError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service cannot hold more live streams. Please try again.');
  }
}
