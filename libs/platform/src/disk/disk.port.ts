export interface DiskRoom {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The disk that holds `DATA_DIR`. */
export abstract class Disk {
  /** What this program's user may still write. Throws where the disk cannot be asked. */
  abstract room(): Promise<DiskRoom>;
}
