import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Global, Module } from '@nestjs/common';
import { DataDirDisk } from './data-dir-disk.js';
import { DiskNotices } from './disk-notices.js';
import { DiskGuard } from './disk-guard.js';
import { Disk } from './disk.port.js';

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
