import { choice, databaseUrl, integer, list, text, url, urls, Variable } from '../variables.js';

const defaultRoles = ['api', 'smtp', 'inbound', 'worker'] as const;
const roles = [...defaultRoles, 'delivery'] as const;

export type Role = (typeof roles)[number];
export type MessageStoreKind = 'postgres' | 'directory' | 's3';

const role = (value: string): Role => {
  const found = roles.find((known) => known === value);
  if (found === undefined) throw new Error('takes api, smtp, inbound, worker and delivery');
  return found;
};

const parseSecretKey = (value: string): string => {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? 32 : Buffer.from(value, 'base64').length;
  if (bytes !== 32) throw new Error('must be 32 bytes, in base64 or hex');
  return value;
};

const secretKey: Variable<string> = {
  name: 'SECRET_KEY',
  description:
    '32 bytes in base64 or hex that encrypt private keys at rest and sign tokens. Generated into `DATA_DIR` at the first start if it is not set; required with `DATABASE_URL`',
  parse: parseSecretKey,
};

/** The roles of the process, and where its data is stored. */
export const processSettings = {
  dataDir: text('DATA_DIR', 'Directory of the embedded PostgreSQL, keys and stored messages', './data'),
  databaseUrl: databaseUrl(
    'DATABASE_URL',
    'Your own PostgreSQL (15 or newer) instead of the embedded one. Several hosts (`postgres://user:password@a:5432,b:5432/name`) are a primary and its standbys: the process uses the one that is the primary',
  ),
  databaseDirectUrl: databaseUrl(
    'DATABASE_DIRECT_URL',
    'The same database without a pooler, if `DATABASE_URL` names a pooler in transaction mode (PgBouncer or a managed one): for LISTEN, session locks, migrations and wake-ups',
  ),
  databaseReadUrl: databaseUrl(
    'DATABASE_READ_URL',
    'A streaming standby of `DATABASE_URL` that answers what requests search and count, once it has what was committed before the request. Default: the primary does',
  ),
  databasePool: integer('DATABASE_POOL', 'Maximum number of PostgreSQL connections of one process', '16', {
    min: 4,
    max: 500,
  }),
  redisUrl: urls(
    'REDIS_URL',
    'Redis or Valkey for wake-ups and rate limits instead of PostgreSQL; one database number (`/1`) for each installation. Several URLs, separated by commas, are nodes of a Redis Cluster. Its data may be deleted at any time',
    ['redis', 'rediss'],
  ),
  messageStore: choice<MessageStoreKind>('MESSAGE_STORE', 'Where message bytes are stored', 'postgres', [
    'postgres',
    'directory',
    's3',
  ]),
  s3Url: url('S3_URL', 'Bucket for `MESSAGE_STORE=s3`: `https://key:secret@host/bucket?region=…`', ['http', 'https']),
  roles: list(
    'ROLES',
    'What this process does: any of `api`, `smtp` (submission), `inbound` (mail to your domains), `worker`, or `delivery`: the part of a worker that hands mail over, for a place far from the database',
    defaultRoles.join(','),
    role,
  ),
  workers: integer(
    'WORKERS',
    'Number of worker processes that this program starts and restarts; it then delivers no mail itself. 0: everything in one process',
    '0',
    { min: 0, max: 64 },
  ),
  secretKey,
  secretKeyPrevious: list(
    'SECRET_KEY_PREVIOUS',
    'Earlier values of `SECRET_KEY`. They decrypt stored secrets, which are encrypted with the new key at the next start, and verify earlier signatures: keep them, for some weeks at least, while links in mail sent before the change are clicked and its bounces arrive',
    '',
    parseSecretKey,
  ),
  bootstrapApiKey: text(
    'BOOTSTRAP_API_KEY',
    'Value of the first API key, for scripts (`re_` and at least 16 letters, digits or `_`). The `api` role creates it at the very first start. Default: a random one, printed once',
  ),
  logLevel: choice('LOG_LEVEL', 'Minimum level of log lines', 'info', [
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
  ]),
} as const;
