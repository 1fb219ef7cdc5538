import { smtpListenAddress, SmtpListenAddress } from '../addresses.js';
import { flag, integer, list, orNone, text } from '../variables.js';

/** Mail over SMTP. */
export const smtpSettings = {
  smtpListen: orNone(
    list<SmtpListenAddress>(
      'SMTP_LISTEN',
      'Where SMTP submission listens: `host:port`, `+tls` for implicit TLS; `none` for nowhere. Port 25, or one marked `+mx`, also receives mail to your domains, bounces and complaints',
      '0.0.0.0:25,0.0.0.0:465+tls,0.0.0.0:587,0.0.0.0:2465+tls,0.0.0.0:2587',
      smtpListenAddress,
    ),
  ),
  testAddressDomains: list(
    'TEST_ADDRESS_DOMAINS',
    'Domains of test addresses: mail to `delivered@`, `bounced@`, `complained@` and `suppressed@` has that outcome and never leaves the machine',
    'resend.dev',
    (value) => value.toLowerCase(),
  ),
  smtpUsername: list('SMTP_USERNAME', 'User names that SMTP clients log in with', 'postrider,resend', (value) => value),
  smtpConnectionsPerAddress: integer(
    'SMTP_CONNECTIONS_PER_ADDRESS',
    'Maximum number of SMTP connections from one client address',
    '100',
    { min: 1, max: 100_000 },
  ),
  smtpProxyProtocol: flag(
    'SMTP_PROXY_PROTOCOL',
    'Connections from `TRUSTED_PROXIES` to the SMTP ports begin with a PROXY header (version 1 or 2), which names the client; `docker/haproxy.cfg` sends it',
  ),
  tlsCertFile: text(
    'TLS_CERT_FILE',
    'Certificate chain in PEM. It is read again when it changes. Default: a self-signed certificate, made at the first start',
  ),
  tlsKeyFile: text('TLS_KEY_FILE', 'Private key of `TLS_CERT_FILE`, in PEM'),
} as const;
