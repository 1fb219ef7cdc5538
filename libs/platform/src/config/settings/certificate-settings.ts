import { Defaulted, choice, integer, mailbox, text } from '../variables.js';

/** Where the directories of Let's Encrypt are (RFC 8555 section 7.1.1). */
const directories: Readonly<Record<string, string>> = {
  production: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
};

/** Certificates that the program gets by itself (ACME). */
export const certificateSettings = {
  tlsAcme: choice<'on' | 'off'>(
    'TLS_ACME',
    'Whether certificates are ordered by ACME for the host of `PUBLIC_URL`, `HOST_NAME`, `HELO_NAME` and the verified tracking hosts of all domains. It accepts the terms of the authority. See [installing](installing.md#tls)',
    'off',
    ['on', 'off'],
  ),
  tlsAcmeEmail: mailbox(
    'TLS_ACME_EMAIL',
    'Address that the certificate authority may write to; required with `TLS_ACME`',
  ),
  tlsAcmeDirectory: {
    name: 'TLS_ACME_DIRECTORY',
    description:
      'Directory of the certificate authority: `production` or `staging` of Let’s Encrypt, or the URL of another one. Certificates of `staging` are trusted by nobody',
    defaultText: 'production',
    parse: (value) => {
      const url = directories[value] ?? value;
      if (URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)) return url;
      throw new Error('must be production, staging or a URL');
    },
  } satisfies Defaulted<string> as Defaulted<string>,
  tlsAcmeCaFile: text(
    'TLS_ACME_CA_FILE',
    'Certificates in PEM that the HTTPS of a private authority is trusted by. With it, the authority may have a private address',
  ),
  acmeHttpPort: integer(
    'ACME_HTTP_PORT',
    'With `TLS_ACME`, the port of the `api` role for HTTP on all addresses: it answers the authority, serves links of hosts that have no certificate yet, and redirects everything else to HTTPS. The authority asks at port 80',
    '80',
    { min: 1, max: 65_535 },
  ),
  httpsPort: integer(
    'HTTPS_PORT',
    'With `TLS_ACME`, the port of the `api` role for HTTPS on all addresses. `HTTP_PORT` stays as it is',
    '443',
    { min: 1, max: 65_535 },
  ),
} as const;
