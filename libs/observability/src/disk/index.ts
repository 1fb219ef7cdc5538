export { DataDirDisk } from './data-dir-disk.js';
export { DiskGuard, freeBytesWanted } from './disk-guard.js';
export { DiskModule } from './disk.module.js';
export { Disk } from './disk.port.js';
export type { DiskSpace } from './disk.port.js';
