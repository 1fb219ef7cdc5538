/** Green: in order. Yellow: works, but needs attention. Red: mail is not delivered, or soon will not be. */
export type Level = 'green' | 'yellow' | 'red';

/** The result of a check for one subject. */
export interface DoctorFinding {
  readonly level: Level;
  /** The address or domain that was checked, if the check covers several. */
  readonly subject?: string;
  readonly text: string;
  /** What the operator should do; absent if the level is green. */
  readonly fix?: string;
}

export const green = (text: string, subject?: string): DoctorFinding => ({ level: 'green', text, subject });
export const yellow = (text: string, fix: string, subject?: string): DoctorFinding => ({
  level: 'yellow',
  text,
  fix,
  subject,
});
export const red = (text: string, fix: string, subject?: string): DoctorFinding => ({
  level: 'red',
  text,
  fix,
  subject,
});

/**
 * Checks one precondition for the delivery of mail.
 *
 * `run` may throw: the error's message is then reported as red. Every wait in it needs a deadline. It must not change
 * anything.
 */
export abstract class DoctorCheck {
  abstract readonly name: string;
  /** Whether it is also run now and then, to tell the operator. */
  readonly isWatched: boolean = true;
  abstract run(): Promise<readonly DoctorFinding[]>;
}
