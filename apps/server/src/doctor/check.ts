/** Green: well. Yellow: works, but should be looked at. Red: mail is not delivered, or will not be. */
export type Level = 'green' | 'yellow' | 'red';

/** What a check found about one thing. */
export interface Finding {
  readonly level: Level;
  /** What was looked at, where the check looks at several things: an address, a domain. */
  readonly subject?: string;
  readonly text: string;
  /** What to do about it; present unless all is well. */
  readonly fix?: string;
}

export const green = (text: string, subject?: string): Finding => ({ level: 'green', text, subject });
export const yellow = (text: string, fix: string, subject?: string): Finding => ({
  level: 'yellow',
  text,
  fix,
  subject,
});
export const red = (text: string, fix: string, subject?: string): Finding => ({ level: 'red', text, fix, subject });

/**
 * One thing that must be right for mail to be delivered.
 *
 * `run` may throw: that is reported as red with the error's message. Every wait in it has a deadline. It changes nothing.
 */
export abstract class DoctorCheck {
  abstract readonly name: string;
  abstract run(): Promise<readonly Finding[]>;
}
