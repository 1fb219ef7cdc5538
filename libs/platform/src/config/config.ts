import { isIP } from 'node:net';
import {
  choice,
  flag,
  hostName,
  integer,
  list,
  ListenAddress,
  listenAddress,
  optionalListenAddress,
  orNone,
  proxyNetwork,
  Region,
  region,
  SmtpListenAddress,
  smtpListenAddress,
  text,
  url,
  Variable,
} from './variables.js';

export type Role = 'api' | 'smtp' | 'worker';
export type TransportKind = 'sandbox' | 'relay' | 'mx';
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

/** Every environment variable the program reads. The README's table is generated from this list. */
export const variables = {
  httpHost: text('HTTP_HOST', 'Address the HTTP API listens on', '127.0.0.1'),
  httpPort: integer('HTTP_PORT', 'Port of the HTTP API; 0 takes a free one', '3000', { min: 0, max: 65_535 }),
  publicUrl: url('PUBLIC_URL', 'Base URL under which customers reach the API. Default: `http://HTTP_HOST:HTTP_PORT`', [
    'http',
    'https',
  ]),
  trustedProxies: list<string>(
    'TRUSTED_PROXIES',
    'Addresses or networks (`10.0.0.0/8`) of proxies in front, whose `X-Forwarded-For` and `X-Forwarded-Host` are believed',
    '',
    proxyNetwork,
  ),
  trackingScheme: choice<'http' | 'https'>(
    'TRACKING_SCHEME',
    'How tracked links and pixels begin; `https` needs a proxy in front with certificates for the tracking hosts',
    'http',
    ['http', 'https'],
  ),
  trackingCa: text(
    'TRACKING_CA',
    'Who issues the certificates of tracking hosts, as a CAA record names it: zones that name others are told to add it',
    'letsencrypt.org',
  ),
  dataDir: text('DATA_DIR', 'Where the embedded PostgreSQL, keys and stored messages live', './data'),
  databaseUrl: url('DATABASE_URL', 'An own PostgreSQL (15 or newer) instead of the embedded one', [
    'postgres',
    'postgresql',
  ]),
  databasePool: integer('DATABASE_POOL', 'Most PostgreSQL connections of one process', '16', { min: 4, max: 500 }),
  redisUrl: url('REDIS_URL', 'Redis or Valkey for the wake-up queues instead of PostgreSQL', ['redis', 'rediss']),
  roles: list('ROLES', 'What this process does: any of `api`, `smtp`, `worker`', 'api,smtp,worker', role),
  secretKey,
  secretKeyPrevious: list(
    'SECRET_KEY_PREVIOUS',
    'Earlier values of `SECRET_KEY`: they open what they sealed, which is then sealed anew. Forget them after a start',
    '',
    parseSecretKey,
  ),
  bootstrapApiKey: text(
    'BOOTSTRAP_API_KEY',
    'Value of the first API key, for scripts (`re_` and at least 16 letters, digits or `_`). Default: a random one, printed once',
  ),
  logLevel: choice('LOG_LEVEL', 'How much is logged', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace']),
  deliveryTransport: choice<TransportKind>('DELIVERY_TRANSPORT', 'Where mail goes', 'sandbox', [
    'sandbox',
    'relay',
    'mx',
  ]),
  relayUrl: url('RELAY_URL', 'The smarthost for `relay`: `smtp://user:pass@host:port` or `smtps://…`', [
    'smtp',
    'smtps',
  ]),
  relayConnections: integer('RELAY_CONNECTIONS', 'Most connections to the smarthost from one process', '4', {
    min: 1,
    max: 100,
  }),
  routesFile: text(
    'ROUTES_FILE',
    'JSON file of ways for `mx`: per recipient or sender domain `mx`, `relay` or `mx-or-relay`. Read anew when it changes',
  ),
  heloName: text('HELO_NAME', 'Host name given in EHLO and used in return paths. Default: the machine’s host name'),
  hostName: hostName(
    'HOST_NAME',
    'Public name of this service, which the records of customers point to: its addresses send, its port 25 takes bounces. Default: `HELO_NAME`, or a placeholder',
  ),
  regions: list<Region>(
    'REGIONS',
    'Regions that domains are assigned to, `name` or `name=host`; the first one is the default',
    'us-east-1,eu-west-1,sa-east-1,ap-northeast-1',
    region,
  ),
  spfInclude: hostName(
    'SPF_INCLUDE',
    'Name of an SPF record that lists the addresses mail leaves from. Customers include it instead of `a:HOST_NAME`',
  ),
  sourceAddresses: list(
    'SOURCE_ADDRESSES',
    'Public addresses that mail leaves from, for `npm run doctor`. Default: those of `HOST_NAME`',
    '',
    (value) => {
      if (isIP(value) === 0) throw new Error(`"${value}" is not an IP address`);
      return value;
    },
  ),
  doctorListen: optionalListenAddress(
    'DOCTOR_LISTEN',
    'Where the running program answers `GET /doctor`: `host:port`, or a port on loopback. Default: nowhere',
  ),
  doctorSmtpTargets: list<ListenAddress>(
    'DOCTOR_SMTP_TARGETS',
    'Mail servers that `npm run doctor` greets to see that port 25 is open; one is enough',
    'gmail-smtp-in.l.google.com:25,mx1.mail.icloud.com:25',
    listenAddress,
  ),
  doctorTimeServers: list<ListenAddress>(
    'DOCTOR_TIME_SERVERS',
    'Time servers (NTP) that `npm run doctor` compares the clock with',
    'pool.ntp.org:123',
    listenAddress,
  ),
  dkimRotationDays: integer(
    'DKIM_ROTATION_DAYS',
    'Age at which the keys of domains with delegated DKIM are rotated by themselves; 0: never',
    '0',
    { min: 0, max: 3_650 },
  ),
  dnsServers: list('DNS_SERVERS', 'Resolvers to ask instead of the system’s, `host:port`', '', (value) => {
    listenAddress(value.includes(':') ? value : `${value}:53`);
    return value;
  }),
  mxPort: integer('MX_PORT', 'Port on which receiving mail servers are reached', '25', { min: 1, max: 65_535 }),
  smtpListen: orNone(
    list<SmtpListenAddress>(
      'SMTP_LISTEN',
      'Where SMTP submission listens: `host:port`, `+tls` for implicit TLS; `none` for nowhere. Port 25, or one marked `+mx`, also takes bounces and complaints',
      '0.0.0.0:25,0.0.0.0:465+tls,0.0.0.0:587,0.0.0.0:2465+tls,0.0.0.0:2587',
      smtpListenAddress,
    ),
  ),
  testAddressDomains: list(
    'TEST_ADDRESS_DOMAINS',
    'Domains whose `delivered@`, `bounced@`, `complained@` and `suppressed@` play their part without anything leaving the machine',
    'resend.dev',
    (value) => value.toLowerCase(),
  ),
  smtpUsername: list('SMTP_USERNAME', 'User names that SMTP clients log in with', 'postrider', (value) => value),
  smtpConnectionsPerAddress: integer(
    'SMTP_CONNECTIONS_PER_ADDRESS',
    'Most SMTP connections from one client address',
    '100',
    { min: 1, max: 100_000 },
  ),
  tlsCertFile: text(
    'TLS_CERT_FILE',
    'Certificate chain in PEM, read again whenever it changes. Default: self-signed, made at the first start',
  ),
  tlsKeyFile: text('TLS_KEY_FILE', 'Private key of `TLS_CERT_FILE`, in PEM'),
  messageStore: choice<MessageStoreKind>('MESSAGE_STORE', 'Where message bytes are kept', 'postgres', [
    'postgres',
    'directory',
    's3',
  ]),
  s3Url: url('S3_URL', 'Bucket for `MESSAGE_STORE=s3`: `https://key:secret@host/bucket?region=…`', ['http', 'https']),
  allowPrivateDestinations: flag(
    'ALLOW_PRIVATE_DESTINATIONS',
    'Let mail, webhooks and attachment fetches reach loopback and private addresses, for local work',
  ),
  rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 'API requests per second and team', '10000', {
    min: 1,
    max: 1_000_000,
  }),
  dailyQuota: integer(
    'DAILY_QUOTA',
    'Messages a team may send per UTC day, each recipient counted; 0 sets no quota',
    '0',
    {
      min: 0,
      max: 1_000_000_000,
    },
  ),
  monthlyQuota: integer('MONTHLY_QUOTA', 'The same per calendar month', '0', { min: 0, max: 1_000_000_000 }),
  metricsToken: text(
    'METRICS_TOKEN',
    'Bearer token that `GET /metrics` asks for. Default: none, and only this machine is answered, not by way of a proxy',
  ),
  otlpEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Base URL of an OpenTelemetry collector (OTLP over HTTP) that gets a trace of each email. Default: no traces',
    ['http', 'https'],
  ),
  traceShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    description: 'Share of the emails that are traced, 0 to 1',
    defaultText: '1',
    parse: (value): number => {
      const share = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN;
      if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1');
      return share;
    },
  } satisfies Variable<number>,
  retentionDays: integer(
    'RETENTION_DAYS',
    'Days for which emails, their content and history, and request logs are kept. What is still to be sent stays longer',
    '30',
    { min: 3, max: 3_650 },
  ),
  minimumFreeMegabytes: integer(
    'MINIMUM_FREE_MB',
    'Free room on the disk of `DATA_DIR` below which nothing new is accepted, in MB, or a twentieth of the disk where that is less. What has been accepted is delivered. 0: no limit',
    '1024',
    { min: 0, max: 1_000_000_000 },
  ),
  shutdownSeconds: integer('SHUTDOWN_SECONDS', 'How long a stop waits for work under way', '20', { min: 1, max: 600 }),
} as const;

type Variables = typeof variables;
type ValueOf<V> = V extends Variable<infer Value> ? Value : never;
type WithoutDefault =
  | 'publicUrl'
  | 'databaseUrl'
  | 'redisUrl'
  | 'secretKey'
  | 'bootstrapApiKey'
  | 'relayUrl'
  | 'routesFile'
  | 'heloName'
  | 'hostName'
  | 'spfInclude'
  | 'doctorListen'
  | 's3Url'
  | 'tlsCertFile'
  | 'tlsKeyFile'
  | 'metricsToken'
  | 'otlpEndpoint';
export type ConfigValues = {
  readonly [Key in keyof Variables]: Key extends WithoutDefault
    ? ValueOf<Variables[Key]> | undefined
    : ValueOf<Variables[Key]>;
};

/** The validated configuration: read once at start, injected wherever a setting is needed. */
export class Config {
  constructor(readonly values: ConfigValues) {}

  has(role: Role): boolean {
    return this.values.roles.includes(role);
  }
}

/** Some variables cannot be used; the message lists all of them, one a line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const entries = Object.entries(variables).map(([key, variable]: [string, Variable<unknown>]) => {
    const given = environment[variable.name];
    const source = given === undefined || given === '' ? variable.defaultText : given;
    if (source === undefined) return [key, undefined] as const;
    try {
      return [key, variable.parse(source)] as const;
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
      return [key, undefined] as const;
    }
  });
  const values = Object.fromEntries(entries) as ConfigValues;
  if (problems.length === 0) problems.push(...conflicts(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return new Config(Object.freeze(values));
}

function conflicts(values: ConfigValues): string[] {
  const problems: string[] = [];
  if (values.databaseUrl !== undefined && values.secretKey === undefined) {
    problems.push('SECRET_KEY is required with DATABASE_URL: every process must have the same one');
  }
  if (values.deliveryTransport === 'relay' && values.relayUrl === undefined) {
    problems.push('RELAY_URL is required with DELIVERY_TRANSPORT=relay');
  }
  if (values.messageStore === 's3' && values.s3Url === undefined) {
    problems.push('S3_URL is required with MESSAGE_STORE=s3');
  }
  if (values.regions.length === 0) problems.push('REGIONS must name at least one region');
  if ((values.tlsCertFile === undefined) !== (values.tlsKeyFile === undefined)) {
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE are only of use together');
  }
  if (values.roles.length === 0) problems.push('ROLES must name at least one role');
  if (values.bootstrapApiKey !== undefined && !/^re_[A-Za-z0-9_]{16,128}$/.test(values.bootstrapApiKey)) {
    problems.push('BOOTSTRAP_API_KEY must be re_ and at least 16 letters, digits or _');
  }
  return problems;
}

/** The README's table of variables, in Markdown. */
export function describeVariables(): string {
  const rows = Object.values(variables).map(
    (variable: Variable<unknown>) =>
      `| \`${variable.name}\` | ${variable.defaultText ? `\`${variable.defaultText}\`` : ''} | ${variable.description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}
