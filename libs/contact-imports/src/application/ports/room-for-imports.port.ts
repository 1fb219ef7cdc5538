/** Whether there is space on the disk for more files. */
export abstract class RoomForImports {
  /** Throws a DomainError where there is none. */
  abstract check(): void;
}
