import { choice, integer, list, text, url, urls, Variable } from '../variables.js';

export type Role = 'api' | 'smtp' | 'worker';
export type MessageStoreKind = 'postgres' | 'directory' | 's3';

const role = (value: string): Role => {
  if (value !== 'api' && value !== 'smtp' && value !== 'worker') throw new Error('takes api, smtp and worker');
  return value;
};

const parseSecretKey = (value: string): string => {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? 32 : Buffer.from(value, 'base64').length;
  if (bytes !== 32) throw new Error('must be 32 bytes, in base64 or hex');
  return value;
};

const secretKey: Variable<string> = {
  name: 'SECRET_KEY',
  description:
    '32 bytes in base64 or hex that encrypt private keys at rest and sign tokens. Generated into `DATA_DIR` on a first start without one; required with `DATABASE_URL`',
  parse: parseSecretKey,
};

/** What the process does, and where it keeps what it must not lose. */
export const processSettings = {
  dataDir: text('DATA_DIR', 'Where the embedded PostgreSQL, keys and stored messages live', './data'),
  databaseUrl: url('DATABASE_URL', 'An own PostgreSQL (15 or newer) instead of the embedded one', [
    'postgres',
    'postgresql',
  ]),
  databaseDirectUrl: url(
    'DATABASE_DIRECT_URL',
    'The same database past its pooler, where `DATABASE_URL` names a pooler in transaction mode (PgBouncer, managed ones): for LISTEN, session locks, migrations and wake-ups',
    ['postgres', 'postgresql'],
  ),
  databasePool: integer('DATABASE_POOL', 'Most PostgreSQL connections of one process', '16', { min: 4, max: 500 }),
  redisUrl: urls(
    'REDIS_URL',
    'Redis or Valkey for wake-ups and rate limits instead of PostgreSQL; one database number (`/1`) for each installation. Several URLs, separated by commas, are nodes of a Redis Cluster. It may be emptied at any time',
    ['redis', 'rediss'],
  ),
  messageStore: choice<MessageStoreKind>('MESSAGE_STORE', 'Where message bytes are kept', 'postgres', [
    'postgres',
    'directory',
    's3',
  ]),
  s3Url: url('S3_URL', 'Bucket for `MESSAGE_STORE=s3`: `https://key:secret@host/bucket?region=…`', ['http', 'https']),
  roles: list('ROLES', 'What this process does: any of `api`, `smtp`, `worker`', 'api,smtp,worker', role),
  workers: integer(
    'WORKERS',
    'Worker processes that this program starts beside itself and keeps running; it then delivers nothing itself. 0: everything in one process',
    '0',
    { min: 0, max: 64 },
  ),
  secretKey,
  secretKeyPrevious: list(
    'SECRET_KEY_PREVIOUS',
    'Earlier values of `SECRET_KEY`. They open what they sealed, which a start seals anew, and verify what they signed: keep them for as long as links in mail sent before the change are clicked and its bounces come, some weeks at least',
    '',
    parseSecretKey,
  ),
  bootstrapApiKey: text(
    'BOOTSTRAP_API_KEY',
    'Value of the first API key, for scripts (`re_` and at least 16 letters, digits or `_`). The `api` role makes it at the first start of all. Default: a random one, printed once',
  ),
  logLevel: choice('LOG_LEVEL', 'How much is logged', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace']),
} as const;
