import { createPublicKey, generateKeyPairSync, KeyObject } from 'node:crypto';
import { parseDkimKey, signMessage } from '#mime';
import type { MailFacts } from '../../../libs/checks/src/domain/message-facts.js';

/** A message as it stands on the wire, before it is signed. Undefined leaves a part as it is, null leaves it out. */
export interface GivenMessage {
  readonly fields?: Readonly<Record<string, string | null>>;
  /** Further field lines, for fields that come twice. */
  readonly lines?: readonly string[];
  readonly html?: string | null;
  readonly text?: string | null;
  readonly files?: readonly GivenFile[];
  /** Default: as it is, in 8 bits. */
  readonly encoding?: 'base64';
  readonly signed?: 'by_us' | 'with_a_short_key' | 'by_another_domain' | 'and_changed' | 'by_nobody';
}

export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** The html shows it. */
  readonly contentId?: string;
}

const domain = 'mail.acme.example';

function key(bits: number, selector: string, of = domain) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return { selector, of, privateKey, key: parseDkimKey({ domain: of, selector, algorithm: 'rsa-sha256', privateKey }) };
}

const keys = {
  by_us: key(2048, 'ours'),
  with_a_short_key: key(1024, 'short'),
  by_another_domain: key(2048, 'theirs', 'other.example'),
};

const publicKey = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');

/** What the DNS has. */
export const dkimRecords: ReadonlyMap<string, string> = new Map(
  Object.values(keys).map(({ selector, of, privateKey }) => [
    `${selector}._domainkey.${of}`,
    `v=DKIM1; k=rsa; p=${publicKey(privateKey)}`,
  ]),
);

export const ordinaryText = [
  'Thank you for your order. It is on its way to you, and it will arrive on Friday before noon.',
  'You can follow the parcel on our page, and change the day of the delivery until tomorrow.',
];

/** An html that nothing speaks against, with something put in. */
export function ordinaryHtml(
  more: { readonly body?: string; readonly head?: string; readonly paragraphs?: readonly string[] } = {},
): string {
  const paragraphs = (more.paragraphs ?? ordinaryText).map((text) => `<p>${text}</p>`).join('\r\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>@media (prefers-color-scheme: dark) { .page { background-color: #111111 } }</style>${more.head ?? ''}</head>
<body class="page" style="background-color:#ffffff;color:#222222">
${paragraphs}
${more.body ?? '<p><a href="https://www.acme.example/orders/1">Follow the parcel</a></p>'}
</body></html>`.replaceAll(/\r?\n/g, '\r\n');
}

const ordinaryFields: Readonly<Record<string, string>> = {
  From: 'Acme <hello@mail.acme.example>',
  To: 'ada@customer.example',
  Subject: 'Your order is on its way',
  Date: 'Tue, 24 Nov 2026 08:00:00 +0000',
  'Message-ID': '<1@mail.acme.example>',
};

/** Fields and link of mail that can be unsubscribed from. */
export const unsubscribable = {
  'List-Unsubscribe': '<https://links.acme.example/u/1>, <mailto:u@acme.example>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};
export const unsubscribeLink =
  '<p><a href="https://www.acme.example/">Acme</a> <a href="https://links.acme.example/u/1">Unsubscribe</a></p>';

/** The bytes of a message. */
export async function bytesOf(given: GivenMessage): Promise<Uint8Array> {
  const { lines = [], html = ordinaryHtml(), text = ordinaryText.join('\r\n\r\n'), files = [] } = given;
  const fields = Object.entries({ ...ordinaryFields, ...given.fields }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const parts = [
    multipart('alternative', [
      ...(text === null ? [] : [partOf('text/plain; charset=utf-8', text, given.encoding)]),
      ...(html === null ? [] : [partOf('text/html; charset=utf-8', html, given.encoding)]),
    ]),
    ...files.map(fileOf),
  ];
  const bytes = Buffer.from([...fields, ...lines, 'MIME-Version: 1.0', multipart('mixed', parts)].join('\r\n'));
  const { signed = 'by_us' } = given;
  if (signed === 'by_nobody') return bytes;
  if (signed !== 'and_changed') return signMessage(bytes, [keys[signed].key]);
  const message = Buffer.from(await signMessage(bytes, [keys.by_us.key]));
  message[message.length - 4] = '~'.charCodeAt(0);
  return message;
}

function partOf(type: string, content: string, encoding: GivenMessage['encoding']): string {
  const body = encoding === undefined ? content : base64(Buffer.from(content));
  return `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding ?? '8bit'}\r\n\r\n${body}`;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n');

function fileOf({ name, type, bytes, contentId }: GivenFile): string {
  const place =
    contentId === undefined
      ? `attachment; filename="${name}"`
      : `inline; filename="${name}"\r\nContent-ID: <${contentId}>`;
  return `Content-Type: ${type}\r\nContent-Disposition: ${place}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(Buffer.alloc(bytes, 'file'))}`;
}

function multipart(kind: 'mixed' | 'alternative', parts: readonly string[]): string {
  const boundary = `=_${kind}`;
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n`,
    ...parts.map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--\r\n`,
  ].join('\r\n');
}

const records: MailFacts['domain']['records'] = ['DKIM', 'SPF', 'DMARC'].map((kind) => ({
  kind,
  name: `${kind.toLowerCase()}.${domain}`,
  status: 'verified',
  advice: undefined,
}));

/** A BIMI record that nothing speaks against. */
export const brandLogo: NonNullable<MailFacts['domain']['brandLogo']> = {
  isDmarcEnforced: true,
  host: 'default._bimi.acme.example',
  mistake: null,
  isDeclined: false,
};

interface GivenFacts {
  readonly domain?: Partial<MailFacts['domain']>;
  /** The status of one record. */
  readonly record?: readonly [kind: string, status: string];
  readonly mail?: Partial<Omit<MailFacts, 'domain'>>;
}

/** What is known of a message beside its bytes. */
export function factsBeside(given: GivenFacts = {}): MailFacts {
  return {
    domain: {
      name: domain,
      site: 'acme.example',
      isSandbox: false,
      returnPathHost: `send.${domain}`,
      records: records.map((record) =>
        record.kind === given.record?.[0] ? { ...record, status: given.record[1] } : record,
      ),
      signingKeyMadeAt: new Date('2026-09-01T00:00:00Z'),
      brandLogo,
      ...given.domain,
    },
    isBulk: false,
    tracksOpens: false,
    tracksClicks: false,
    createdAt: new Date('2026-11-24T08:00:01Z'),
    askedLinks: null,
    ...given.mail,
  };
}
