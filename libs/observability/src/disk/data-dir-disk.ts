import { statfs } from 'node:fs/promises';
import { Disk, DiskSpace } from './disk.port.js';

export class DataDirDisk extends Disk {
  constructor(private readonly dataDir: string) {
    super();
  }

  async space(): Promise<DiskSpace> {
    const { bsize, bavail, blocks } = await statfs(this.dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }
}
