export { DataDirDisk, DiskModule } from './disk.module.js';
export { DiskGuard, freeBytesWanted } from './disk-guard.js';
export { Disk } from './disk.port.js';
export type { DiskSpace } from './disk.port.js';
