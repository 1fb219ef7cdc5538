export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The disk that holds `DATA_DIR`. */
export abstract class Disk {
  /** The free space for the user of this program, and the size of the disk. Throws if they cannot be read. */
  abstract space(): Promise<DiskSpace>;
}
