import { Mistake } from '../../../libs/domains/src/domain/mistake.js';
import { ZoneRecords } from '../../../libs/domains/src/infrastructure/dns/in-memory-dns-resolver.js';

export const key = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${'AbC+dEf/'.repeat(36)}QIDAQAB`;
const otherKey = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${'ZyX9wVu8'.repeat(36)}QIDAQAB`;
export const host = 'mail.service.test';
const dkimValue = `v=DKIM1; k=rsa; p=${key}`;
export const dkimHost = 'postrider._domainkey.example.test';
export const sendHost = 'send.example.test';
const spfValue = `v=spf1 a:${host} ~all`;

export const right: Record<string, ZoneRecords> = {
  [dkimHost]: { txt: [dkimValue] },
  [sendHost]: { mx: [{ exchange: host, preference: 10 }], txt: [spfValue] },
  'example.test': { mx: [{ exchange: host, preference: 10 }] },
  'links.example.test': { cname: host },
  '_dmarc.example.test': { txt: ['v=DMARC1; p=reject; rua=mailto:d@example.test'] },
  '_smtp._tls.example.test': { txt: ['v=TLSRPTv1; rua=mailto:tls@example.test'] },
  [host]: { a: ['192.0.2.1'] },
};

const mx = (...records: [number, string][]): ZoneRecords['mx'] =>
  records.map(([preference, exchange]) => ({ preference, exchange }));
const send = (records: ZoneRecords): Record<string, ZoneRecords> => ({
  [sendHost]: { ...right[sendHost], ...records },
});
const moved = (from: string, to: string): Record<string, ZoneRecords> => ({ [from]: {}, [to]: right[from] ?? {} });
const dkim = (...txt: string[]): Record<string, ZoneRecords> => ({ [dkimHost]: { txt } });
const spf = (...txt: string[]): Record<string, ZoneRecords> => send({ txt });
const times = <Item>(count: number, of: (n: number) => Item): Item[] => Array.from({ length: count }, (_, n) => of(n));
const includes = (count: number): string => times(count, (n) => `include:spf${n}.other.test`).join(' ');
const includedZones = Object.fromEntries(
  times(12, (n) => [`spf${n}.other.test`, { txt: ['v=spf1 ip4:198.51.100.1 -all'] }]),
);
export const mistakes: [string, string, Mistake, Record<string, ZoneRecords>, RegExp][] = [
  ['DKIM is not published', 'dkim:postrider', 'missing', { [dkimHost]: {} }, /no TXT record at postrider._domainkey/],
  [
    'DKIM has the zone name appended',
    'dkim:postrider',
    'zone_name_appended',
    moved(dkimHost, `${dkimHost}.example.test`),
    /enter "postrider._domainkey" only/,
  ],
  [
    'DKIM is published at the zone itself',
    'dkim:postrider',
    'published_at_wrong_name',
    { [dkimHost]: {}, 'example.test': { ...right['example.test'], txt: [dkimValue] } },
    /belongs to "postrider._domainkey"/,
  ],
  [
    'DKIM lacks the _domainkey label',
    'dkim:postrider',
    'published_at_wrong_name',
    moved(dkimHost, 'postrider.example.test'),
    /another name/,
  ],
  ['DKIM keeps its quotes', 'dkim:postrider', 'quotes_kept', dkim(`"${dkimValue}"`), /without quotes/],
  [
    'DKIM keeps quotes between its strings',
    'dkim:postrider',
    'quotes_kept',
    dkim(`${dkimValue.slice(0, 200)}" "${dkimValue.slice(200)}`),
    /without quotes/,
  ],
  ['DKIM keeps backslashes', 'dkim:postrider', 'backslashes_kept', dkim(dkimValue.replaceAll(';', '\\;')), /backslash/],
  [
    'DKIM has its name pasted into the value',
    'dkim:postrider',
    'name_in_value',
    dkim(`postrider._domainkey TXT ${dkimValue}`),
    /pasted into its value/,
  ],
  ['DKIM is cut off', 'dkim:postrider', 'dkim_truncated_key', dkim(dkimValue.slice(0, 255)), /cut off/],
  [
    'DKIM lost characters',
    'dkim:postrider',
    'dkim_damaged_key',
    dkim(dkimValue.replace('+dEf', '-dEf')),
    /changed or lost/,
  ],
  ['DKIM is another key', 'dkim:postrider', 'dkim_other_key', dkim(`v=DKIM1; k=rsa; p=${otherKey}`), /another account/],
  ['DKIM is revoked', 'dkim:postrider', 'dkim_revoked_key', dkim('v=DKIM1; p='), /revoked/],
  [
    'DKIM names another kind of key',
    'dkim:postrider',
    'dkim_wrong_key_type',
    dkim(dkimValue.replace('k=rsa', 'k=ed25519')),
    /k= tag/,
  ],
  ['DKIM allows sha1 only', 'dkim:postrider', 'dkim_wrong_hash', dkim(`v=DKIM1; h=sha1; p=${key}`), /sha256/],
  [
    'DKIM is for another service',
    'dkim:postrider',
    'dkim_wrong_service',
    dkim(`v=DKIM1; s=tlsrpt; p=${key}`),
    /s= tag/,
  ],
  [
    'DKIM has its version at the end',
    'dkim:postrider',
    'dkim_version_not_first',
    dkim(`k=rsa; p=${key}; v=DKIM1`),
    /come first/,
  ],
  ['DKIM is there twice', 'dkim:postrider', 'several_records', dkim(dkimValue, `v=DKIM1; p=${otherKey}`), /keep only/],
  ['DKIM is no tag list', 'dkim:postrider', 'invalid_syntax', dkim('hello world'), /cannot read/],
  [
    'DKIM is hidden behind an alias',
    'dkim:postrider',
    'alias_in_the_way',
    { [dkimHost]: { cname: 'elsewhere.test' } },
    /CNAME/,
  ],
  ['SPF is not published', 'spf', 'missing', send({ txt: [] }), /no TXT record at send.example.test/],
  [
    'SPF is published at the domain',
    'spf',
    'published_at_wrong_name',
    { ...send({ txt: [] }), 'example.test': { ...right['example.test'], txt: [spfValue] } },
    /belongs to "send"/,
  ],
  [
    'SPF has the zone name appended',
    'spf',
    'zone_name_appended',
    { ...send({ txt: [] }), 'send.example.test.example.test': { txt: [spfValue] } },
    /enter "send" only/,
  ],
  ['SPF is there twice', 'spf', 'several_spf_records', spf(spfValue, 'v=spf1 include:other.test ~all'), /merge them/],
  ['SPF does not name the service', 'spf', 'spf_not_authorized', spf('v=spf1 ip4:203.0.113.9 -all'), /does not name/],
  ['SPF refuses the service', 'spf', 'spf_rejected', spf(`v=spf1 -a:${host} ~all`), /qualifier/],
  ['SPF names the service after all', 'spf', 'spf_after_all', spf(`v=spf1 ~all a:${host}`), /move "all"/],
  [
    'SPF needs 11 look-ups',
    'spf',
    'spf_too_many_lookups',
    { ...includedZones, ...spf(`v=spf1 ${includes(10)} a:${host} ~all`) },
    /10 look-ups/,
  ],
  [
    'SPF needs 11 look-ups with a redirect',
    'spf',
    'spf_too_many_lookups',
    { ...includedZones, ...spf(`v=spf1 a:${host} ${includes(9)} redirect=spf11.other.test`) },
    /10 look-ups/,
  ],
  [
    'SPF includes a name without SPF',
    'spf',
    'spf_broken_include',
    spf(`v=spf1 include:none.test a:${host} ~all`),
    /usable SPF record/,
  ],
  ['SPF includes itself', 'spf', 'spf_broken_include', spf(`v=spf1 include:${sendHost} a:${host} ~all`), /circle/],
  ['SPF has a space after a colon', 'spf', 'invalid_syntax', spf(`v=spf1 a: ${host} ~all`), /cannot read/],
  ['SPF keeps its quotes', 'spf', 'quotes_kept', spf(`"${spfValue}"`), /without quotes/],
  ['SPF lacks its version', 'spf', 'spf_version_missing', spf(`a:${host} ~all`), /must begin/],
  [
    'SPF lacks the space behind its version',
    'spf',
    'spf_version_missing',
    spf(`v=spf1,a:${host} ~all`),
    /space included/,
  ],
  ['the return path is not published', 'return-path', 'missing', send({ mx: [] }), /no MX record/],
  [
    'the return path leads elsewhere',
    'return-path',
    'wrong_target',
    send({ mx: mx([10, 'mx.other.test']) }),
    /another host/,
  ],
  [
    'the return path has the zone appended to its target',
    'return-path',
    'target_has_zone_appended',
    send({ mx: mx([10, `${host}.example.test`]) }),
    /end the value with a dot/,
  ],
  [
    'the return path prefers another host',
    'return-path',
    'mx_other_preferred',
    send({ mx: mx([10, host], [5, 'mx.other.test']) }),
    /lower or equal preference/,
  ],
  ['the return path is a null MX', 'return-path', 'mx_null', send({ mx: mx([0, '']) }), /takes no mail/],
  [
    'the return path names an address',
    'return-path',
    'mx_is_address',
    send({ mx: mx([10, '192.0.2.1']) }),
    /not an IP address/,
  ],
  ['the return path is an alias', 'return-path', 'alias_in_the_way', { [sendHost]: { cname: 'proxy.test' } }, /alias/],
  [
    'the return path has the zone name appended',
    'return-path',
    'zone_name_appended',
    { ...send({ mx: [] }), 'send.example.test.example.test': { mx: mx([10, host]) } },
    /enter "send" only/,
  ],
  [
    'receiving leads elsewhere',
    'receiving',
    'wrong_target',
    { 'example.test': { mx: mx([10, 'mx.other.test']) } },
    /another host/,
  ],
  [
    'receiving shares with another host',
    'receiving',
    'mx_other_preferred',
    { 'example.test': { mx: mx([10, host], [10, 'mx.other.test']) } },
    /preference/,
  ],
  ['receiving is not published', 'receiving', 'missing', { 'example.test': {} }, /no MX record at example.test/],
  ['tracking is not published', 'tracking', 'missing', { 'links.example.test': {} }, /no CNAME record/],
  [
    'tracking leads elsewhere',
    'tracking',
    'wrong_target',
    { 'links.example.test': { cname: 'other.test' } },
    /another host/,
  ],
  [
    'tracking has the zone appended to its target',
    'tracking',
    'target_has_zone_appended',
    { 'links.example.test': { cname: `${host}.example.test` } },
    /end the value with a dot/,
  ],
  ['tracking is proxied', 'tracking', 'proxied', { 'links.example.test': { a: ['203.0.113.80'] } }, /orange cloud/],
  ['DMARC is not published', 'dmarc', 'missing', { '_dmarc.example.test': {} }, /recommended/],
  [
    'DMARC lacks its underscore',
    'dmarc',
    'published_at_wrong_name',
    moved('_dmarc.example.test', 'dmarc.example.test'),
    /belongs to "_dmarc"/,
  ],
  [
    'DMARC has no policy',
    'dmarc',
    'dmarc_invalid_policy',
    { '_dmarc.example.test': { txt: ['v=DMARC1; p=nothing'] } },
    /none, quarantine or reject/,
  ],
  [
    'DMARC is misaligned',
    'dmarc',
    'dmarc_misaligned',
    { '_dmarc.example.test': { txt: ['v=DMARC1; p=reject; aspf=s'] } },
    /aspf=r/,
  ],
  [
    'DMARC reports to a bare address',
    'dmarc',
    'dmarc_invalid_report_address',
    { '_dmarc.example.test': { txt: ['v=DMARC1; p=none; rua=d@example.test'] } },
    /mailto:/,
  ],
  [
    'DMARC is there twice',
    'dmarc',
    'several_records',
    { '_dmarc.example.test': { txt: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] } },
    /keep only/,
  ],
  [
    'TLS reporting goes to a bare address',
    'tls-reporting',
    'tls_reporting_invalid_address',
    { '_smtp._tls.example.test': { txt: ['v=TLSRPTv1; rua=t@example.test'] } },
    /mailto:tls@example\.com or https:/,
  ],
];

/** Records that are written differently than shown but mean the same. */
export const sameMeaning: [string, string, Record<string, ZoneRecords>][] = [
  ['DKIM with spaces within the key', 'dkim:postrider', dkim(`v=DKIM1;k=rsa;p=${key.slice(0, 99)} ${key.slice(99)} ;`)],
  ['DKIM with tags in another order', 'dkim:postrider', dkim(`v = DKIM1 ; p = ${key} ; k = rsa`)],
  ['DKIM without version and kind', 'dkim:postrider', dkim(`p=${key}`)],
  ['DKIM behind an alias', 'dkim:postrider', { [dkimHost]: { cname: 'keys.test' }, 'keys.test': { txt: [dkimValue] } }],
  [
    'SPF with spaces, case and other senders',
    'spf',
    { ...includedZones, ...spf(`V=SPF1  include:spf1.other.test   A:${host.toUpperCase()}.  -all`) },
  ],
  ['SPF beside other texts', 'spf', spf('google-site-verification=x', spfValue)],
  [
    'SPF through an include',
    'spf',
    { ...spf('v=spf1 include:_spf.example.test -all'), '_spf.example.test': { txt: [`v=spf1 a:${host} -all`] } },
  ],
  [
    'SPF through a redirect',
    'spf',
    { ...spf('v=spf1 redirect=_spf.example.test'), '_spf.example.test': { txt: [`v=spf1 a:${host} -all`] } },
  ],
  ['SPF by the address of the host', 'spf', spf('v=spf1 ip4:192.0.2.1 -all')],
  ['SPF with exactly 10 look-ups', 'spf', { ...includedZones, ...spf(`v=spf1 ${includes(9)} a:${host} ~all`) }],
  ['an MX with another number and a backup', 'return-path', send({ mx: mx([5, host], [50, 'mx.other.test']) })],
  ['a flattened alias', 'tracking', { 'links.example.test': { a: ['192.0.2.1'] } }],
  ['any valid DMARC policy', 'dmarc', { '_dmarc.example.test': { txt: ['v=DMARC1;p=Quarantine;adkim=s'] } }],
];
