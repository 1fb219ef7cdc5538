import { statfs } from 'node:fs/promises';
import { Global, Module } from '@nestjs/common';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { DiskGuard } from './disk-guard.js';
import { DiskNotices } from './disk-notices.js';
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

@Global()
@Module({
  providers: [
    {
      provide: Disk,
      inject: [Adapters, Config],
      useFactory: (adapters: Adapters, { values }: Config) =>
        adapters.choose(Disk, () => new DataDirDisk(values.dataDir)),
    },
    DiskNotices,
    DiskGuard,
  ],
  exports: [Disk, DiskGuard],
})
export class DiskModule {}
