import { choice, flag, integer, text, url } from '../variables.js';

export type TransportKind = 'sandbox' | 'relay' | 'mx';

/** How mail is delivered. */
export const deliverySettings = {
  deliveryTransport: choice<TransportKind>('DELIVERY_TRANSPORT', 'Where mail goes', 'sandbox', [
    'sandbox',
    'relay',
    'mx',
  ]),
  relayUrl: url('RELAY_URL', 'The smarthost for `relay`: `smtp://user:pass@host:port` or `smtps://…`', [
    'smtp',
    'smtps',
  ]),
  relayConnections: integer(
    'RELAY_CONNECTIONS',
    'Maximum number of connections to the smarthost from one process',
    '4',
    {
      min: 1,
      max: 100,
    },
  ),
  routesFile: text(
    'ROUTES_FILE',
    'JSON file for `mx`: ways per recipient or sender domain, source addresses per sender domain, limits per mail host. It is read again when it changes',
  ),
  dane: flag(
    'DANE',
    'Whether `mx` honours TLSA records (RFC 7672) of zones that the resolver has validated. Use it only with a validating resolver on this machine, or on a trusted network',
  ),
  heloName: text('HELO_NAME', 'Host name given in EHLO and used in return paths. Default: the machine’s host name'),
  mxPort: integer('MX_PORT', 'Port on which receiving mail servers are reached', '25', { min: 1, max: 65_535 }),
  allowPrivateDestinations: flag(
    'ALLOW_PRIVATE_DESTINATIONS',
    'Let mail, webhooks and attachment fetches reach loopback and private addresses, for local work',
  ),
} as const;
