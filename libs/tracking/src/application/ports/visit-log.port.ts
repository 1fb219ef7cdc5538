import { ObservedVisit } from '../../domain/observed-visit.js';

/** Records opens and clicks. */
export abstract class VisitLog {
  /**
   * Queues visits to be written as events of their emails; a visit of a deleted email is dropped. Never throws and never
   * waits, so that no click waits for the database. A visit that cannot be written within a minute is dropped.
   */
  abstract add(visits: readonly ObservedVisit[]): void;

  /** Called when the program stops: resolves when every queued visit was written or tried one last time. */
  abstract drain(): Promise<void>;
}
