import { encode } from 'dns-packet';
import { registrableDomain } from '../../libs/domains/src/application/domain-records.js';
import { readAnswer, UnusableAnswerError } from '../../libs/domains/src/infrastructure/dns/dns-answer.js';
import { readDnsMessage } from '../../libs/domains/src/infrastructure/dns/dns-message.js';
import { reverseName } from '../../libs/domains/src/domain/reverse-name.js';
import { questionName } from '../../libs/domains/src/infrastructure/dns/dns-message.js';
import { brandLogoOf } from '../../libs/domains/src/domain/brand-logo.js';
import { compareCaa } from '../../libs/domains/src/domain/record-comparisons.js';
import { compareDkim, mentionsKey } from '../../libs/domains/src/domain/dkim-comparison.js';
import { compareDmarc } from '../../libs/domains/src/domain/record-comparisons.js';
import { dnsProviderOf } from '../../libs/domains/src/domain/dns-provider.js';
import { compareAlias, compareMx, compareStandIn } from '../../libs/domains/src/domain/record-comparisons.js';
import { SpfInspection } from '../../libs/domains/src/application/inspection/spf-inspector.js';
import { isSpf, parseSpf } from '../../libs/domains/src/domain/spf-record.js';
import { compareTlsReporting } from '../../libs/domains/src/domain/record-comparisons.js';
import { announcedPolicyId, readStsPolicy } from '../../libs/mx/src/domain/sts-policy.js';
import { bytesOf, RemoteParser } from './remote-parser.js';

const key = { algorithm: 'rsa-sha256', publicKey: 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC'.repeat(5) } as const;
const answer = encode({
  type: 'response',
  id: 1,
  questions: [{ type: 'TXT', name: 'x.test' }],
  answers: [
    { type: 'CNAME', name: 'x.test', ttl: 60, data: 'y.test' },
    { type: 'TXT', name: 'y.test', ttl: 60, data: ['v=spf1', ' -all'] },
    { type: 'MX', name: 'y.test', ttl: 60, data: { preference: 10, exchange: 'mx.y.test' } },
  ],
});
/** A header that announces 500 answers, and a question whose name is 120 labels. */
const manyAnswers = `\0\x01\x81\x80\0\x01\x01\xf3\0\0\0\0${'\x01a'.repeat(120)}\0\0\x10\0\x01`;

export const dnsParsers: readonly RemoteParser[] = [
  {
    name: 'DNS message',
    covers: ['readDnsMessage', 'readAnswer'],
    pieces: [
      '\xc0\x0c',
      '\xc0\x0c\0\x10\0\x01\0\0\0\x3c\0\0',
      '\xc0\x0c\0\x05\0\x01\0\0\0\x3c\0\x02\xc0\x0c',
      '\x01a',
      '\0',
      '\x3f',
      '\xff',
      '\xc0',
    ],
    examples: [answer.toString('latin1'), manyAnswers],
    parse: (text) => {
      const message = readDnsMessage(bytesOf(text));
      if (message === undefined) return;
      for (const type of ['txt', 'mx', 'cname', 'caa', 'tlsa', 'a'] as const) readAnswer(type, 'x.test', message);
    },
    refuses: (error) => error instanceof UnusableAnswerError,
  },
  {
    name: 'SPF record',
    covers: ['parseSpf', 'isSpf'],
    pieces: ['v=spf1 ', 'a:', ':', '/', ' ', 'include:x.test ', 'ip4:', '=', '+', '/24'],
    examples: ['v=spf1 include:_spf.x.test a:mail.x.test/24 ip6:2001:db8::/32 -all', 'v=spf1 redirect=_spf.x.test'],
    parse: (text) => [isSpf(text), parseSpf(text), new SpfInspection(undefined as never, 'include:x.test')],
  },
  {
    name: 'DKIM and DMARC records',
    covers: ['compareDkim', 'compareDmarc', 'compareTlsReporting', 'parseTags'],
    pieces: ['v=DKIM1;', 'v=BIMI1;', 'l=https://', '.svg', 'p=', ';', '=', ' ', 'k=rsa;', '"', '\\', 'mailto:', '@'],
    examples: ['v=DKIM1; k=rsa; h=sha256; p=MIGf', 'v=DMARC1; p=none; rua=mailto:a@x.test,mailto:b@x.test; aspf=r'],
    parse: (text) => [
      compareDkim([text], key),
      mentionsKey(text, key),
      compareDmarc([text]),
      compareDmarc([text, text]),
      compareTlsReporting([text]),
      compareTlsReporting([`v=TLSRPTv1; rua=${text}`]),
      brandLogoOf({ dmarc: [text], isInherited: true, bimi: [text], bimiHost: 'x.test' }),
      brandLogoOf({ dmarc: [], isInherited: false, bimi: [`v=BIMI1; l=${text}`], bimiHost: 'x.test' }),
    ],
  },
  {
    name: 'MX, CNAME and CAA records',
    covers: ['compareMx', 'compareStandIn', 'compareAlias', 'compareCaa', 'dnsProviderOf'],
    pieces: ['.', 'a', '1', ':', ';', ' ', '.ns.cloudflare.com', '-'],
    examples: ['mx.x.test', '10.0.0.1', 'letsencrypt.org; accounturi=x', 'ns-1.awsdns-01.co.uk'],
    parse: (text) => [
      compareMx([{ exchange: text, preference: 10 }], 'mx.x.test'),
      compareStandIn([{ exchange: text, preference: 10 }], 'mx.x.test'),
      compareAlias([text], 'x.test'),
      compareCaa([{ tag: 'issue', value: text }], 'letsencrypt.org'),
      dnsProviderOf([text]),
    ],
  },
  {
    name: 'names to be asked for',
    covers: ['questionName', 'reverseName'],
    pieces: ['.', 'a', 'xn--', 'é', '-', ':', '1', '%'],
    examples: ['mail.x.test.', 'bücher.test', '2001:db8::1', '192.0.2.1'],
    parse: (text) => [questionName(text), reverseName(text), registrableDomain(text.slice(0, 253))],
  },
  {
    name: 'MTA-STS policy',
    covers: ['readStsPolicy', 'announcedPolicyId'],
    pieces: ['version: STSv1\n', 'mx:', '\r\n', ' ', '\t', ':', 'v=STSv1;', 'id=', ';', '='],
    examples: [
      'version: STSv1\r\nmode: enforce\r\nmx: *.x.test\r\nmx: mx.x.test\r\nmax_age: 86400\r\n',
      'v=STSv1; id=20260101T000000;',
    ],
    parse: (text) => [readStsPolicy(text), announcedPolicyId([text])],
  },
];
