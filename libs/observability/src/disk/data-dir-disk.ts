import { statfs } from 'node:fs/promises';
import { Disk, DiskRoom } from './disk.port.js';

export class DataDirDisk extends Disk {
  constructor(private readonly dataDir: string) {
    super();
  }

  async room(): Promise<DiskRoom> {
    const { bsize, bavail, blocks } = await statfs(this.dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }
}
