import { Defaulted, integer, mailbox, optionalListenAddress, text, url } from '../variables.js';

/** Bounds, and what an operator watches. */
export const operationSettings = {
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
      const share = /^(?:\d+|\d*\.\d+)$/.test(value) ? Number(value) : NaN;
      if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1');
      return share;
    },
  } satisfies Defaulted<number>,
  noticesTo: mailbox(
    'NOTICES_TO',
    'Address of whoever runs the service, which is mailed when a webhook endpoint is disabled or a nearly full disk stops the mail. Default: nobody, only the log tells',
  ),
  noticesFrom: mailbox(
    'NOTICES_FROM',
    'Sender of those notices, an address of a verified domain; required with `NOTICES_TO`',
  ),
  retentionDays: integer(
    'RETENTION_DAYS',
    'Days for which emails, their content and history, and request logs are kept. What is still to be sent stays longer',
    '30',
    { min: 3, max: 3_650 },
  ),
  minFreeMegabytes: integer(
    'MINIMUM_FREE_MB',
    'Free room on the disk of `DATA_DIR` below which nothing new is accepted, in MB, or a twentieth of the disk where that is less. What has been accepted is delivered. 0: no limit',
    '1024',
    { min: 0, max: 1_000_000_000 },
  ),
  healthListen: optionalListenAddress(
    'HEALTH_LISTEN',
    'Where a thread of its own answers `GET /healthz` and `GET /readyz`, also while the event loop is frozen: `host:port`, or a port on loopback. Default: nowhere',
  ),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'How long a stop goes on serving after `/readyz` has turned to 503, for load balancers to notice; 0 where there is none',
    '0',
    { min: 0, max: 600 },
  ),
  shutdownSeconds: integer('SHUTDOWN_SECONDS', 'How long a stop waits for work under way', '20', { min: 1, max: 600 }),
} as const;
