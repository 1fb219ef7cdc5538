import type { Answer, DecodedPacket, RecordType, StringAnswer } from 'dns-packet';
import { DnsAnswer, DnsRecords, DnsRecordType } from '../../application/ports/dns-resolver.port.js';

type Wire = Exclude<Answer, { type: 'OPT' }>;

/** Seconds for which a missing record is cached if the zone does not say. */
const defaultNegativeTtl = 60;

/** Longest chain of aliases that resolvers follow. */
const maxAliases = 32;

const noError = 0;
const nxDomain = 3;

/** The message holds no usable answer: SERVFAIL, REFUSED, a loop of aliases. */
export class UnusableAnswerError extends Error {}

/** Reads the answer to a question from a message. Throws `UnusableAnswerError` if there is none. */
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
    ttl: Math.min(...ttls, ...(found.length === 0 ? [negativeTtl(message)] : [])),
    isAuthenticated: message.flag_ad,
    canonicalName,
  };
}

/** The chain of aliases from the name, which the resolver includes in its answer. Throws if the chain is a loop. */
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
function negativeTtl(message: DecodedPacket): number {
  const soa = message.authorities?.find((record) => record.type === 'SOA');
  return soa === undefined
    ? defaultNegativeTtl
    : Math.min(soa.ttl ?? defaultNegativeTtl, soa.data.minimum ?? defaultNegativeTtl);
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
