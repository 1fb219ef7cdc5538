export { DataDirInUseError, lockDataDir, type DataDirLock } from './data-dir-lock.js';
export { EmbeddedPostgresError } from './embedded-postgres-error.js';
export type { PostmasterExit } from './postmaster.js';
export { runningPostgresUrl } from './endpoint.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
