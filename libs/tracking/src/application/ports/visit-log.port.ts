import { ObservedVisit } from '../../domain/observed-visit.js';

/** Where opens and clicks are written down. */
export abstract class VisitLog {
  /**
   * Takes visits over and sees to it that they become events of their emails, or of nothing where the email is
   * forgotten. Never throws and never waits: nobody's click waits for our database. What cannot be written within a
   * minute is given up.
   */
  abstract add(visits: readonly ObservedVisit[]): void;

  /** At the end of the program: resolves when everything added has been written, or tried one last time. */
  abstract drain(): Promise<void>;
}
