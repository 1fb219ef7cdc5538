import { isIP } from 'node:net';
import {
  cell,
  CellAddress,
  cellDatabase,
  listenAddress,
  ListenAddress,
  parseHostName,
  region,
  Region,
} from '../addresses.js';
import { hostName, integer, list, optionalListenAddress, text } from '../variables.js';

/** The names of the service and their DNS records. */
export const domainSettings = {
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
  region: text('REGION', 'The one of `REGIONS` whose mail the worker of this process sends. Default: all regions'),
  cells: list<CellAddress>(
    'CELLS',
    'Installations with a database of their own, each for one of `REGIONS`: `name=url`, the home cell first, the same in all of them ([cells](scaling.md#then-cells)). Default: one database for all regions',
    '',
    cell,
  ),
  cell: text('CELL', 'The one of `CELLS` that this process belongs to'),
  cellDatabases: list<CellAddress>(
    'CELL_DATABASES',
    'For `npm run cells -- connect`: the PostgreSQL of each other cell, `name=postgres://…`, as the server of this cell reaches it',
    '',
    cellDatabase,
  ),
  failoverSeconds: integer(
    'FAILOVER_SECONDS',
    'After how many seconds without a worker of a region another one sends the mail of its domains that want that. It gives the mail back after the same time with a worker',
    '120',
    { min: 10, max: 86_400 },
  ),
  spfInclude: hostName(
    'SPF_INCLUDE',
    'Name of an SPF record that lists the addresses mail leaves from. Customers include it instead of `a:HOST_NAME`',
  ),
  sourceAddresses: list(
    'SOURCE_ADDRESSES',
    'Public addresses that mail leaves from, for `npm run doctor` and to recognise the mail hosts of this service. Default: those of `HOST_NAME`',
    '',
    (value) => {
      if (isIP(value) === 0) throw new Error(`"${value}" is not an IP address`);
      return value;
    },
  ),
  blocklists: list(
    'BLOCKLISTS',
    'Blocklists of addresses (DNSBL) that `npm run doctor`, the machine room and the insights of a domain ask for the addresses that mail leaves from, such as `zen.spamhaus.org`. Mind their terms of use',
    '',
    parseHostName,
  ),
  domainBlocklists: list(
    'DOMAIN_BLOCKLISTS',
    'Blocklists of domains that they ask for the domains of all teams, such as `dbl.spamhaus.org`',
    '',
    parseHostName,
  ),
  postmasterToolsKeyFile: text(
    'POSTMASTER_TOOLS_KEY_FILE',
    'File with the JSON key of a Google service account, for workers and the API. Figures of Google Postmaster Tools about the domains that are shared with it are imported once a day. Default: Google is not asked',
  ),
  sndsKey: text(
    'SNDS_KEY',
    'Key of the links for automated data access of Microsoft SNDS. What it says about addresses is imported once a day. Default: Microsoft is not asked',
  ),
  doctorListen: optionalListenAddress(
    'DOCTOR_LISTEN',
    'Where the running program serves `GET /doctor`: `host:port`, or a port on loopback. Default: nowhere',
  ),
  doctorSmtpTargets: list<ListenAddress>(
    'DOCTOR_SMTP_TARGETS',
    'Mail servers that `npm run doctor` connects to, to check that port 25 is open; one that is reachable is enough',
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
    'Age at which the keys of domains with delegated DKIM are rotated automatically; 0: never',
    '0',
    { min: 0, max: 3_650 },
  ),
  dnsServers: list('DNS_SERVERS', 'DNS resolvers to use instead of those of the system, `host:port`', '', (value) => {
    listenAddress(value.includes(':') ? value : `${value}:53`);
    return value;
  }),
} as const;
