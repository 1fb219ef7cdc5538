/** The current time. It is a port so that tests can set the time. */
export abstract class Clock {
  abstract now(): Date;
}
