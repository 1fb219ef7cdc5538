/**
 * Defaults for a mail queue on a small machine. The settings of the caller override them.
 *
 * The npm build has neither lz4 nor zstd (`wal_compression=lz4` and `default_toast_compression=lz4` are refused), and
 * the CPU time of pglz costs more than the WAL that it saves, so the WAL is not compressed.
 */
export const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  // An accepted message survives a power failure. These are set here, so that postgresql.conf cannot change them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  // Rare checkpoints: after each one, the first change of every page writes the whole page to the WAL.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'off',
  // Queue rows change many times per minute. Dead versions must be removed before they slow down scans.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_cost_delay: '1ms',
  random_page_cost: '1.1',
  // Statements are short: compiling one takes longer than running it.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '[%p] ',
};

/** Command line arguments for all settings. The caller cannot override where the server listens and logs. */
export function settingArguments(
  listen: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): string[] {
  const all = { ...DEFAULT_SETTINGS, ...settings, log_destination: 'stderr', logging_collector: 'off', ...listen };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
