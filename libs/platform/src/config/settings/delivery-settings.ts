import { choice, flag, integer, jsonObject, shares, text, url } from '../variables.js';

export type TransportKind = 'sandbox' | 'relay' | 'mx';

/** How mail is delivered. */
export const deliverySettings = {
  deliveryTransport: choice<TransportKind>('DELIVERY_TRANSPORT', 'Where mail goes', 'sandbox', [
    'sandbox',
    'relay',
    'mx',
  ]),
  relayUrl: url(
    'RELAY_URL',
    'The smarthost for `relay`: `smtp://user:pass@host:port` or `smtps://…`; or `nodemailer:module?name=value`, a transport of Nodemailer',
    ['smtp', 'smtps', 'nodemailer'],
  ),
  relayOptions: jsonObject(
    'RELAY_OPTIONS',
    'JSON object with the options of the module that RELAY_URL names, such as credentials',
  ),
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
    'JSON file for `mx`: ways per recipient or sender domain, source addresses per sender domain, limits per mail host. It is read again when it changes. Its source addresses win over the pools of the machine room',
  ),
  dane: flag(
    'DANE',
    'Whether `mx` honours TLSA records (RFC 7672) of zones that the resolver has validated. Use it only with a validating resolver on this machine, or on a trusted network',
  ),
  heloName: text('HELO_NAME', 'Host name given in EHLO and used in return paths. Default: the machine’s host name'),
  mxPort: integer('MX_PORT', 'Port on which receiving mail servers are reached', '25', { min: 1, max: 65_535 }),
  reputationGuard: choice<'on' | 'warn' | 'off'>(
    'REPUTATION_GUARD',
    'What happens when too much mail of a domain is reported as spam, refused as spam, or sent to addresses that do not exist: its mail to that provider is slowed and paused in steps, changes are only told, or nothing',
    'on',
    ['on', 'warn', 'off'],
  ),
  guardMinVolume: integer(
    'GUARD_MIN_VOLUME',
    'Messages of a domain to a mailbox provider from which on the guard judges their rates',
    '200',
    { min: 20, max: 1_000_000 },
  ),
  guardComplaints: shares(
    'GUARD_COMPLAINTS',
    'Percent of delivered messages that were reported as spam, from which on the guard warns, slows bulk mail, pauses it, slows all mail, and pauses it',
    '0.1,0.3,0.5,1,3',
  ),
  guardBadAddresses: shares(
    'GUARD_BAD_ADDRESSES',
    'The same for messages to addresses that do not exist',
    '5,8,10,20,40',
  ),
  guardSpamRefusals: shares(
    'GUARD_SPAM_REFUSALS',
    'The same for messages that were refused as spam or for the reputation of the sender',
    '1,3,10,25,50',
  ),
  allowPrivateDestinations: flag(
    'ALLOW_PRIVATE_DESTINATIONS',
    'Let mail, webhooks and attachment fetches reach loopback and private addresses, for local work',
  ),
} as const;
