/** The current time. A port so that tests decide what time it is. */
export abstract class Clock {
  abstract now(): Date;
}
