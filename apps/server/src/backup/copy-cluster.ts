import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { watchfulConnection } from '#postgres/database';
import { copyDurably, copyTree, flush } from './copy-tree.js';

/** Directories to copy without content (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const leftOut =
  /(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*)$|^(?:postmaster\.(?:pid|opts)|backup_label.*|backup_manifest)$/;

/**
 * Copies the files of a running PostgreSQL like `pg_basebackup`, which the embedded PostgreSQL does not include. The
 * copy is made between pg_backup_start and pg_backup_stop, together with the log (WAL) of that time, from which
 * PostgreSQL makes the copy consistent when it starts. A temporary replication slot keeps the log from being recycled
 * until the copy is complete.
 */
export async function copyCluster(databaseUrl: string, source: string, target: string): Promise<void> {
  const session = new Client({ connectionString: databaseUrl, ...watchfulConnection });
  // Without a listener, losing the connection would end the process. Queries on a lost connection fail anyway.
  session.on('error', () => undefined);
  await session.connect();
  try {
    await session.query(
      `SELECT pg_create_physical_replication_slot('postrider_backup_' || pg_backend_pid(), true, true)`,
    );
    const started = await session.query<{ file: string }>(
      `SELECT pg_walfile_name(pg_backup_start('postrider', fast => true)) AS file`,
    );
    await copyTree(source, target, (path) => emptied.test(path) || leftOut.test(path));
    const stopped = await session.query<{ file: string; labelfile: string }>(
      'SELECT pg_walfile_name(lsn) AS file, labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    const [first, end] = [started.rows[0], stopped.rows[0]];
    if (first === undefined || end === undefined) throw new Error('PostgreSQL did not say what the backup consists of');
    await copyLog(join(source, 'pg_wal'), join(target, 'pg_wal'), first.file, end.file);
    await writeFile(join(target, 'backup_label'), end.labelfile, { mode: 0o600, flush: true });
    await flush(target);
  } finally {
    await session.end();
  }
}

/** The names of the log's files ascend. Files after the last one are preallocated and empty. */
async function copyLog(source: string, target: string, first: string, last: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of await readdir(source)) {
    const isWanted = /^[0-9A-F]{24}$/.test(name) ? name >= first && name <= last : name.endsWith('.history');
    if (isWanted) await copyDurably(join(source, name), join(target, name));
  }
  await flush(target);
}
