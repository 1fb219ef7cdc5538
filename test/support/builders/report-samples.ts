import { gzipSync } from 'node:zlib';
import { zipOf } from './zip.js';

/** One record of an aggregate report, as most reporters write it. */
export interface SampleRecord {
  readonly source: string;
  readonly count: number;
  readonly disposition?: string;
  readonly dkim?: 'pass' | 'fail';
  readonly spf?: 'pass' | 'fail';
  readonly headerFrom?: string;
  readonly signature?: readonly [domain: string, selector: string, result: string];
  readonly envelope?: readonly [domain: string, result: string];
  readonly reason?: string;
}

export interface SampleReport {
  readonly id?: string;
  readonly domain?: string;
  readonly organization?: string;
  /** Begin of the day that it is about. */
  readonly begin: Date;
  readonly records: readonly SampleRecord[];
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

export function dmarcXml({
  id = '1',
  domain = 'acme.test',
  organization = 'Mailbox',
  begin,
  records,
}: SampleReport): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${organization}</org_name>
    <email>noreply@mailbox.test</email>
    <report_id>${id}</report_id>
    <date_range><begin>${seconds(begin)}</begin><end>${seconds(begin) + 86_399}</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct>
  </policy_published>
${records.map((record) => recordXml(record, domain)).join('\n')}
</feedback>`;
}

export function recordXml(record: SampleRecord, domain: string): string {
  const { source, count, disposition = 'none', dkim = 'fail', spf = 'fail', headerFrom = domain, reason } = record;
  const signature =
    record.signature &&
    `<dkim><domain>${record.signature[0]}</domain><selector>${record.signature[1]}</selector><result>${record.signature[2]}</result></dkim>`;
  const envelope =
    record.envelope && `<spf><domain>${record.envelope[0]}</domain><result>${record.envelope[1]}</result></spf>`;
  return `  <record>
    <row>
      <source_ip>${source}</source_ip><count>${count}</count>
      <policy_evaluated>
        <disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>
        ${reason === undefined ? '' : `<reason><type>${reason}</type><comment>says nothing</comment></reason>`}
      </policy_evaluated>
    </row>
    <identifiers><header_from>${headerFrom}</header_from></identifiers>
    <auth_results>${signature ?? ''}${envelope ?? ''}</auth_results>
  </record>`;
}

interface Part {
  readonly type: string;
  readonly name?: string;
  readonly bytes: Uint8Array;
}

/** A message with a file, at the root or in a multipart, as reporters send it. */
export function reportMessage(
  { type, name, bytes }: Part,
  options: { readonly from?: string; readonly to?: string; readonly inMultipart?: boolean } = {},
): Buffer {
  const { from = 'noreply@mailbox.test', to = 'dmarc-reports@send.acme.test', inMultipart = true } = options;
  const head = `From: ${from}\r\nTo: ${to}\r\nSubject: Report Domain: acme.test\r\nMessage-ID: <1@mailbox.test>\r\nMIME-Version: 1.0\r\n`;
  const named = name === undefined ? '' : `; name="${name}"`;
  const disposition = name === undefined ? '' : `Content-Disposition: attachment; filename="${name}"\r\n`;
  const body = (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');
  const part = `Content-Type: ${type}${named}\r\n${disposition}Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
  if (!inMultipart) return Buffer.from(head + part);
  const text = 'Content-Type: text/plain\r\n\r\nThis is an aggregate report.\r\n';
  return Buffer.from(
    `${head}Content-Type: multipart/mixed; boundary="=_r"\r\n\r\n--=_r\r\n${text}--=_r\r\n${part}--=_r--\r\n`,
  );
}

export const gzipped = (text: string, name = 'mailbox.test!acme.test!1!2.xml.gz'): Part => ({
  type: 'application/gzip',
  name,
  bytes: gzipSync(text),
});

/** The shapes of reports that the large receivers send, each with the same content: 3 messages of 192.0.2.1 that passed. */
export function reporterShapes(begin: Date): readonly (readonly [shape: string, message: Buffer])[] {
  const records: SampleRecord[] = [
    {
      source: '192.0.2.1',
      count: 3,
      dkim: 'pass',
      spf: 'pass',
      signature: ['acme.test', 'postrider', 'pass'],
      envelope: ['send.acme.test', 'pass'],
    },
  ];
  const plain = dmarcXml({ begin, records });
  const xmlns = plain.replace(
    '<feedback>',
    '<feedback xmlns="http://dmarc.org/dmarc-xml/0.1">\n<version>1.0</version>',
  );
  const prefixed = plain
    .replace(/<(\/?)(?=[a-z])/g, '<$1d:')
    .replace('<d:feedback>', '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"><d:version>1.0</d:version>')
    .replace(
      '<d:sp>',
      '<d:np>reject</d:np><d:testing>n</d:testing><d:discovery_method>treewalk</d:discovery_method><d:sp>',
    );
  const schema = plain
    .replace(
      '<feedback>',
      '<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n<version>1.0</version>',
    )
    .replace(
      '<header_from>',
      '<envelope_to>mailbox.test</envelope_to><envelope_from>send.acme.test</envelope_from><header_from>',
    );
  const unclosed = plain.replace(
    '<feedback>',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://dmarc.org/dmarc-xml/0.1">\n<feedback>',
  );
  const oneLine = plain.replace(/^<\?xml.*\n/, '').replace(/\n\s*/g, '');
  const signedTwice = plain.replace(
    '<auth_results>',
    '<auth_results><dkim><domain>other.test</domain><selector>s1</selector><result>fail</result><human_result>bad &amp; old</human_result></dkim>',
  );
  const padded = `\ufeff${plain.replace('<pct>', '<fo>1</fo><pct>').replaceAll('pass</', ' PASS </')}`;
  const millis = plain.replace(/<(begin|end)>(\d+)</g, '<$1>$2000<').replace('192.0.2.1<', '::ffff:192.0.2.1<');
  const zip = (text: string): Buffer => zipOf([['mailbox.test!acme.test!1!2.xml', Buffer.from(text)]]);
  return [
    [
      'a zip archive as the whole message',
      reportMessage({ type: 'application/zip', name: 'a.zip', bytes: zip(plain) }, { inMultipart: false }),
    ],
    ['gzip beside a text, with schema names and envelope names', reportMessage(gzipped(schema))],
    ['gzip of one line without a declaration', reportMessage(gzipped(oneLine))],
    ['gzip with a namespace and a version', reportMessage({ ...gzipped(xmlns), type: 'application/x-gzip' })],
    [
      'a zip archive named as octets, with a byte order mark',
      reportMessage({ type: 'application/octet-stream', name: 'r.zip', bytes: zip(padded) }),
    ],
    [
      'XML without compression, several signatures',
      reportMessage({ type: 'text/xml', name: 'r.xml', bytes: Buffer.from(signedTwice) }),
    ],
    ['the newer namespace with a prefix', reportMessage(gzipped(prefixed))],
    [
      'gzip with a line break behind it',
      reportMessage({ ...gzipped(plain), bytes: Buffer.concat([gzipped(plain).bytes, Buffer.from('\r\n')]) }),
    ],
    [
      'XML behind an element of the schema that is never closed',
      reportMessage({ type: 'text/xml', name: 'r.xml', bytes: Buffer.from(unclosed) }),
    ],
    [
      'times in milliseconds and addresses in IPv6 form',
      reportMessage({ ...gzipped(millis), type: 'application/zip' }),
    ],
  ];
}

export interface SampleTls {
  readonly id?: string;
  readonly begin: Date;
  readonly domain?: string;
  readonly succeeded?: number;
  readonly failures?: readonly { readonly result: string; readonly count: number; readonly mx?: string }[];
}

export function tlsJson({ id = 't1', begin, domain = 'acme.test', succeeded = 10, failures = [] }: SampleTls): string {
  const end = new Date(begin.getTime() + 86_399_000);
  return JSON.stringify({
    'organization-name': 'Mailbox',
    'date-range': { 'start-datetime': begin.toISOString(), 'end-datetime': end.toISOString() },
    'contact-info': 'smtp-tls-reporting@mailbox.test',
    'report-id': id,
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: enforce', 'mx: mx.acme.test'],
          'policy-domain': domain,
          'mx-host': ['mx.acme.test'],
        },
        summary: {
          'total-successful-session-count': succeeded,
          'total-failure-session-count': failures.reduce((sum, { count }) => sum + count, 0),
        },
        'failure-details': failures.map(({ result, count, mx = 'mx.acme.test' }) => ({
          'result-type': result,
          'sending-mta-ip': '198.51.100.7',
          'receiving-mx-hostname': mx,
          'failed-session-count': count,
        })),
      },
    ],
  });
}

export const tlsMessage = (json: string): Buffer =>
  reportMessage({ type: 'application/tlsrpt+gzip', name: 'mailbox.test!acme.test!1!2.json.gz', bytes: gzipSync(json) });

export function failureMessage(domain = 'acme.test', at = new Date()): Buffer {
  const lines = [
    'From: noreply@mailbox.test',
    'To: dmarc-failures@send.acme.test',
    'Subject: FW: Your order',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="=_f"',
    '',
    '--=_f',
    'Content-Type: text/plain',
    '',
    'This is an authentication failure report.',
    '--=_f',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: auth-failure',
    'Version: 1',
    'User-Agent: Receiver/1.0',
    'Original-Mail-From: <someone@private.test>',
    `Arrival-Date: ${at.toUTCString()}`,
    'Source-IP: 203.0.113.5',
    'Auth-Failure: dmarc',
    'Delivery-Result: reject',
    `Reported-Domain: ${domain}`,
    '',
    '--=_f',
    'Content-Type: message/rfc822',
    '',
    'From: Acme <hello@acme.test>',
    'To: jane@private.test',
    'Subject: Your order',
    '',
    'Secret text.',
    '--=_f--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}
