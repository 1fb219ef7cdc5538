import type { Answer, DecodedPacket, RecordType, StringAnswer } from 'dns-packet';
import { DnsAnswer, DnsRecords, DnsRecordType } from '../../application/ports/dns-resolver.port.js';

type Wire = Exclude<Answer, { type: 'OPT' }>;

/** Where a zone says nothing of how long something is known to be absent. */
const absentTtl = 60;

/** No resolver follows more of them. */
const maxAliases = 32;

const noError = 0;
const nxDomain = 3;

/** A message that is no answer to act upon: SERVFAIL, REFUSED, a loop of aliases. */
export class UnusableAnswerError extends Error {}

/** What a message says of a question; throws `UnusableAnswerError` where it says that nobody knows. */
export function readAnswer<Type extends DnsRecordType>(
  type: Type,
  name: string,
  message: DecodedPacket,
): DnsAnswer<DnsRecords[Type]> {
  const code = (message.flags ?? 0) & 0xf;
  if (code !== noError && code !== nxDomain) throw new UnusableAnswerError(responseCodes[code] ?? `code ${code}`);
  const answers = (message.answers ?? []).filter((record): record is Wire => record.type !== 'OPT');
  const chain = type === 'cname' ? [] : aliasesFrom(name, answers);
  const canonicalName = hostName(chain.at(-1)?.data ?? name);
  const wanted = type.toUpperCase() as RecordType;
  const found = answers.filter((record) => record.type === wanted && record.name.toLowerCase() === canonicalName);
  const ttls = [...chain, ...found].map(({ ttl }) => ttl ?? 0);
  return {
    records: found.map((record) => readers[type](record.data as never)),
    ttl: Math.min(...ttls, ...(found.length === 0 ? [ttlOfAbsence(message)] : [])),
    isAuthenticated: message.flag_ad,
    canonicalName,
  };
}

/** The resolver sends the chain along; one that leads back to itself has no end. */
function aliasesFrom(name: string, answers: readonly Wire[]): StringAnswer[] {
  const aliases = new Map<string, StringAnswer>();
  for (const record of answers) {
    const owner = record.name.toLowerCase();
    if (record.type === 'CNAME' && !aliases.has(owner)) aliases.set(owner, record);
  }
  const chain: StringAnswer[] = [];
  for (let alias = aliases.get(name); alias !== undefined; alias = aliases.get(hostName(alias.data))) {
    if (chain.length >= maxAliases) throw new UnusableAnswerError('a loop of aliases');
    chain.push(alias);
  }
  return chain;
}

/** RFC 2308 section 5. */
function ttlOfAbsence(message: DecodedPacket): number {
  const soa = message.authorities?.find((record) => record.type === 'SOA');
  return soa === undefined ? absentTtl : Math.min(soa.ttl ?? absentTtl, soa.data.minimum ?? absentTtl);
}

const readers: { readonly [Type in DnsRecordType]: (data: never) => DnsRecords[Type] } = {
  txt: (data: string | Buffer | (string | Buffer)[]) => [data].flat().map(String).join(''),
  mx: ({ exchange, preference }: { exchange: string; preference?: number }) => ({
    exchange: hostName(exchange),
    preference: preference ?? 0,
  }),
  a: (data: string) => data,
  aaaa: (data: string) => data,
  cname: hostName,
  ns: hostName,
  ptr: hostName,
  caa: ({ tag, value }: { tag: string; value: string }) => ({ tag: tag.toLowerCase(), value }),
  tlsa: (data: { usage: number; selector: number; matchingType: number; certificate: Buffer }) => ({
    usage: data.usage,
    selector: data.selector,
    matchingType: data.matchingType,
    data: Uint8Array.from(data.certificate),
  }),
};

const responseCodes: Record<number, string> = { 1: 'FORMERR', 2: 'SERVFAIL', 4: 'NOTIMP', 5: 'REFUSED' };

function hostName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
