import { Defaulted, flag, integer, list, mailbox, optionalListenAddress, text, url } from '../variables.js';

/** Limits, and settings for monitoring and operation. */
export interface NoticeTarget {
  readonly format: 'json' | 'slack' | 'discord';
  readonly url: string;
}

/** The hosts of the chats themselves need no prefix. */
function noticeTarget(text: string): NoticeTarget {
  const [, prefix, url = ''] = /^(?:(slack|discord)\+)?(https?:\/\/.+)$/.exec(text) ?? [];
  if (!URL.canParse(url)) throw new Error('must be URLs such as https://…, slack+https://… or discord+https://…');
  const { hostname } = new URL(url);
  if (prefix === 'slack' || hostname === 'hooks.slack.com') return { format: 'slack', url };
  const isDiscord = prefix === 'discord' || hostname === 'discord.com' || hostname === 'discordapp.com';
  return { format: isDiscord ? 'discord' : 'json', url };
}

export const operationSettings = {
  rateLimitPerSecond: integer('RATE_LIMIT_PER_SECOND', 'API requests per second and team', '10000', {
    min: 1,
    max: 1_000_000,
  }),
  requireUnsubscribeLink: flag(
    'REQUIRE_UNSUBSCRIBE_LINK',
    'Whether broadcasts without a link to unsubscribe are refused. Otherwise they get one at their end',
  ),
  dailyQuota: integer(
    'DAILY_QUOTA',
    'Messages that a team may send per UTC day, each recipient counted; 0: no quota',
    '0',
    {
      min: 0,
      max: 1_000_000_000,
    },
  ),
  monthlyQuota: integer(
    'MONTHLY_QUOTA',
    'Messages that a team may send per calendar month (UTC), each recipient counted; 0: no quota',
    '0',
    { min: 0, max: 1_000_000_000 },
  ),
  metricsToken: text(
    'METRICS_TOKEN',
    'Bearer token that `GET /metrics` requires. Default: none; then only requests from this machine to `localhost` are served, and none where PUBLIC_URL has another name',
  ),
  otlpEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Base URL of an OpenTelemetry collector (OTLP over HTTP) that receives a trace of each email. Default: no traces',
    ['http', 'https'],
  ),
  traceShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    description: 'Fraction of the emails that are traced, 0 to 1',
    defaultText: '1',
    parse: (value): number => {
      const share = /^(?:\d+|\d*\.\d+)$/.test(value) ? Number(value) : NaN;
      if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1');
      return share;
    },
  } satisfies Defaulted<number>,
  noticesTo: mailbox(
    'NOTICES_TO',
    'Address of the operator. It receives a mail when something needs attention (docs/operating.md), and what is written to `postmaster@` and `abuse@` the `HOST_NAME`. Default: none, only the log tells',
  ),
  noticesUrls: list(
    'NOTICES_URL',
    'Where the same notices are posted, except for what was written to `postmaster@` and `abuse@`: comma-separated URLs. JSON by default; `slack+https://…` and `discord+https://…` post what these chats and those that are compatible with them take. Such a URL is a secret',
    '',
    noticeTarget,
  ),
  noticesFrom: mailbox(
    'NOTICES_FROM',
    'Sender of those notices, an address of a verified domain; required with `NOTICES_TO`',
  ),
  retentionDays: integer(
    'RETENTION_DAYS',
    'Days for which emails, their content and history, and request logs are kept. Emails that are not sent yet are kept longer',
    '30',
    { min: 3, max: 3_650 },
  ),
  minFreeMegabytes: integer(
    'MINIMUM_FREE_MB',
    'Free space on the disk of `DATA_DIR` below which no new mail is accepted, in MB, or a twentieth of the disk if that is less. Accepted mail is still delivered. 0: no limit',
    '1024',
    { min: 0, max: 1_000_000_000 },
  ),
  healthListen: optionalListenAddress(
    'HEALTH_LISTEN',
    'Where a separate thread serves `GET /healthz` and `GET /readyz`, also while the event loop is frozen: `host:port`, or a port on loopback. Default: nowhere',
  ),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'Seconds for which a stopping program continues to serve after `/readyz` returns 503, so that load balancers notice; 0 if there is none',
    '0',
    { min: 0, max: 600 },
  ),
  shutdownSeconds: integer('SHUTDOWN_SECONDS', 'Seconds for which a stopping program waits for running work', '20', {
    min: 1,
    max: 600,
  }),
} as const;
