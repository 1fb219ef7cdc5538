import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { watchfulConnection } from '#platform/database';
import { copyDurably, copyTree, flush } from './copy-tree.js';

/** Of these directories only the directory is wanted (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const leftOut =
  /(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*)$|^(?:postmaster\.(?:pid|opts)|backup_label.*|backup_manifest)$/;

/**
 * Copies the files of a running PostgreSQL, as `pg_basebackup` does, which the embedded one does not bring along: between
 * pg_backup_start and pg_backup_stop, with the log (WAL) of that time, which makes the copy whole when it is started. A
 * temporary replication slot keeps that log from being recycled however long the copy takes.
 */
export async function copyCluster(databaseUrl: string, source: string, target: string): Promise<void> {
  const session = new Client({ connectionString: databaseUrl, ...watchfulConnection });
  // What is asked of a lost connection fails by itself; without a listener the loss would end the process.
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

/** Names of the log's files ascend; what lies behind the end is made in advance and holds nothing. */
async function copyLog(source: string, target: string, first: string, last: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of await readdir(source)) {
    const isWanted = /^[0-9A-F]{24}$/.test(name) ? name >= first && name <= last : name.endsWith('.history');
    if (isWanted) await copyDurably(join(source, name), join(target, name));
  }
  await flush(target);
}
