/** The time zones of the world. */
export abstract class TimeZones {
  /** All names that are in use, also earlier ones such as `Asia/Calcutta`. */
  abstract names(): Promise<readonly string[]>;
}
