import { choice, integer, list, proxyNetwork, text, url } from '../variables.js';

/** Where customers reach the API, and how tracked links begin. */
export const httpSettings = {
  httpHost: text('HTTP_HOST', 'Address the HTTP API listens on', '127.0.0.1'),
  httpPort: integer('HTTP_PORT', 'Port of the HTTP API; 0 takes a free one', '3000', { min: 0, max: 65_535 }),
  publicUrl: url('PUBLIC_URL', 'Base URL under which customers reach the API. Default: `http://HTTP_HOST:HTTP_PORT`', [
    'http',
    'https',
  ]),
  trustedProxies: list<string>(
    'TRUSTED_PROXIES',
    'Addresses or networks (`10.0.0.0/8`) of proxies in front, whose `X-Forwarded-For` and `X-Forwarded-Host` are believed, and with `SMTP_PROXY_PROTOCOL` their PROXY headers',
    '',
    proxyNetwork,
  ),
  httpMaxConnections: integer(
    'HTTP_MAX_CONNECTIONS',
    'Connections to the HTTP API at once, in each process; those of trusted proxies are not counted',
    '8192',
    { min: 16, max: 1_000_000 },
  ),
  httpMaxConnectionsPerNetwork: integer(
    'HTTP_MAX_CONNECTIONS_PER_NETWORK',
    'Of these, for one network of clients: an IPv4 `/24`, an IPv6 `/64`',
    '1024',
    { min: 8, max: 1_000_000 },
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
} as const;
