import { proxyNetwork, wireHost, WireHost, wireName, WireName } from '../addresses.js';
import { baseUrl, choice, integer, list, text } from '../variables.js';

/** The addresses of the API and of tracked links. */
export const httpSettings = {
  httpHost: text('HTTP_HOST', 'Address that the HTTP API listens on', '127.0.0.1'),
  httpPort: integer('HTTP_PORT', 'Port of the HTTP API; 0 selects a free one', '3000', { min: 0, max: 65_535 }),
  publicUrl: baseUrl(
    'PUBLIC_URL',
    'Base URL at which customers reach the API, without a path. Default: `http://HTTP_HOST:HTTP_PORT`',
  ),
  trustedProxies: list<string>(
    'TRUSTED_PROXIES',
    'Addresses or networks (`10.0.0.0/8`) of reverse proxies. Their `X-Forwarded-For` and `X-Forwarded-Host` headers are trusted, and with `SMTP_PROXY_PROTOCOL` their PROXY headers',
    '',
    proxyNetwork,
  ),
  httpMaxConnections: integer(
    'HTTP_MAX_CONNECTIONS',
    'Maximum number of connections to the HTTP API in each process; those of trusted proxies are not counted',
    '8192',
    { min: 16, max: 1_000_000 },
  ),
  httpMaxConnectionsPerNetwork: integer(
    'HTTP_MAX_CONNECTIONS_PER_NETWORK',
    'Maximum number of these connections from one client network: an IPv4 `/24`, an IPv6 `/64`',
    '1024',
    { min: 8, max: 1_000_000 },
  ),
  wires: list<WireName>(
    'WIRES',
    'Other providers whose API is spoken as well, at `/mailgun`, `/postmark`, `/sendgrid` and `/ses`: any of `mailgun`, `postmark`, `sendgrid`, `ses`. See [coming from](coming-from.md)',
    '',
    wireName,
  ),
  wireHosts: list<WireHost>(
    'WIRE_HOSTS',
    'Host names under which requests are for one of `WIRES`, for clients that take a host but no path: `mailgun=mg.example.com,…`',
    '',
    wireHost,
  ),
  mcp: choice<'on' | 'off'>(
    'MCP',
    'Whether AI agents get the API as tools, at `/mcp` and `/mcp/drafts`. See [agents](agents.md)',
    'on',
    ['on', 'off'],
  ),
  trackingScheme: choice<'http' | 'https'>(
    'TRACKING_SCHEME',
    'Scheme of tracked links and pixels; `https` needs a reverse proxy with certificates for the tracking hosts. With `TLS_ACME`, links of a host that has a certificate are https in any case',
    'http',
    ['http', 'https'],
  ),
  trackingCa: text(
    'TRACKING_CA',
    'Name, as in a CAA record, of the authority that issues the certificates of tracking hosts. Customers whose CAA records name only others are told to add it',
    'letsencrypt.org',
  ),
} as const;
