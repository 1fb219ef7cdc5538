import { DnsUnavailableError, ServiceNames } from '#domains';
import { MailDepth } from '#emails';
import { domainOf } from '#kernel';
import { dkimKeyNames } from '#mime';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import {
  ArrivedFacts,
  JudgedMessage,
  MessageJudge,
  MessageOrigin,
  PendingJudgement,
} from '../../application/ports/message-judge.port.js';
import { DmarcVerdict, FcrdnsVerdict, SpfVerdict } from '../../domain/verdicts.js';
import {
  ArrivedQuestion,
  arrivedMessageParser,
  inspectHeader,
  KeyRecord,
  noSignatures,
  ParsedArrival,
  SignatureKeys,
} from '../mime/arrived-message.parser.js';
import {
  checkName,
  dmarcRecordOf,
  evaluateDmarc,
  isAligned,
  organizationalDomain,
  readPolicy,
  SenderDns,
  SpfResults,
  worstOf,
} from './sender-checks.js';

/** The name of this host in header fields. */
export function mainHostOf(names: ServiceNames): string {
  return names.hostsOf(names.regions[0] ?? '').host;
}

/** A message waits this long for all its look-ups. A check without an answer is then a `temperror`. */
const maxLookUpMs = 10_000;
/** Real mail has one to four DKIM signatures and a few ARC sets of two. */
const maxSignatures = 20;
const maxKeys = 10;
/** Larger signatures are verified in a thread: the time that they take grows with the square of their length. */
const maxInlineSignatureBytes = 4 * 1024;
/** Authors of different domains whose policies are looked up. */
const maxAuthorDomains = 3;

const noFacts: ArrivedFacts = {
  from: '',
  authors: [],
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: '',
  messageId: '',
  threadId: null,
  threadKeys: [],
  attachments: [],
};

@Injectable()
export class MailauthMessageJudge extends MessageJudge {
  private readonly hostName: string;
  private readonly spfResults: SpfResults;

  constructor(
    private readonly dns: SenderDns,
    private readonly parsers: ParserThreads,
    private readonly depth: MailDepth,
    names: ServiceNames,
  ) {
    super();
    this.hostName = mainHostOf(names);
    this.spfResults = new SpfResults(dns, this.hostName);
  }

  anticipate(origin: MessageOrigin): void {
    void this.originOf(origin);
  }

  begin(origin: MessageOrigin, header: Uint8Array): PendingJudgement {
    const inspected = inspectHeader(header, this.hostName);
    const { kept, hops, automatic, signatures, signatureBytes, authors } = inspected;
    const depth = inspected.depth === null ? 0 : (this.depth.read(inspected.depth) ?? 0);
    const about = this.originOf(origin);
    const isTooMany = signatures > maxSignatures;
    const keys = signatures === 0 || isTooMany ? Promise.resolve(null) : this.keysOf(header, origin.network);
    const finish = async (contentId: string, content: Uint8Array): Promise<JudgedMessage> => {
      const found = (await keys) ?? null;
      const isSmall =
        content.length <= arrivedMessageParser.maxInlineBytes && signatureBytes <= maxInlineSignatureBytes;
      const parsed = await this.parse(content, { contentId, keys: found, detects: false }, isSmall, origin.network);
      const [spf, fcrdns] = await about;
      const isUnverified = isTooMany || (signatures > 0 && found === null);
      return this.judged(parsed, { spf, fcrdns, isUnverified, hasOneAuthor: authors === 1 }, origin.network);
    };
    return { header: kept, hops, automatic, depth, finish };
  }

  private originOf(origin: MessageOrigin): Promise<[SpfVerdict, FcrdnsVerdict]> {
    const domain = domainOf(origin.mailFrom === '' ? origin.client.helo : origin.mailFrom).toLowerCase();
    // The team may send from the domain, and the host is this one.
    if (origin.isLocal)
      return Promise.resolve([
        { result: 'pass', domain },
        { result: 'pass', name: this.hostName },
      ]);
    return Promise.all([
      within<SpfVerdict>(this.spfResults.of(origin), { result: 'temperror', domain }),
      within<FcrdnsVerdict>(checkName(origin, this.dns), { result: 'temperror' }),
    ]);
  }

  /** Undefined if there are too many keys. */
  private async keysOf(header: Uint8Array, network: string): Promise<SignatureKeys | undefined> {
    const names = dkimKeyNames(header, maxKeys);
    if (names === undefined) return undefined;
    const unavailable: KeyRecord = { trouble: 'unavailable' };
    const found = await Promise.all(
      names.map(async (name) => [name, await within(this.keyRecord(name, network), unavailable)] as const),
    );
    return { records: new Map(found) };
  }

  private async keyRecord(name: string, network: string): Promise<KeyRecord> {
    try {
      const [text] = await this.dns.records('txt', name, network);
      return text === undefined ? { trouble: 'absent' } : { text };
    } catch (error) {
      // A name that cannot be looked up at all has no record.
      return { trouble: error instanceof DnsUnavailableError ? 'unavailable' : 'absent' };
    }
  }

  /** Small messages without files are read at once, all others in a thread. */
  private async parse(
    content: Uint8Array,
    options: ArrivedQuestion,
    isSmall: boolean,
    network: string,
  ): Promise<ParsedArrival> {
    try {
      if (isSmall) {
        const parsed = await arrivedMessageParser.parse(content, options);
        if (!parsed.hasFiles) return parsed;
      }
      const inThread = { ...arrivedMessageParser, maxInlineBytes: 0 };
      return await this.parsers.run(inThread, {
        owner: network,
        bytes: content,
        options: { ...options, detects: true },
      });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { facts: noFacts, signatures: noSignatures, hasFiles: false };
    }
  }

  private async judged(
    { facts, signatures }: ParsedArrival,
    { spf, fcrdns, isUnverified, hasOneAuthor }: Circumstances,
    network: string,
  ): Promise<JudgedMessage> {
    const domains = [...new Set(facts.authors.map(domainOf))];
    const [domain = ''] = domains;
    const dkim = isUnverified
      ? [{ result: 'policy', domain: '', selector: '', reason: 'too many signatures' } as const]
      : signatures.dkim;
    const usable = domains.length > 0 && domains.length <= maxAuthorDomains;
    const verdicts = usable ? await Promise.all(domains.map((author) => this.dmarcOf(author, spf, dkim, network))) : [];
    const invalid: DmarcVerdict = { result: 'permerror', domain, alignedBy: [] };
    const worst = worstOf(verdicts) ?? invalid;
    return {
      facts,
      verdicts: {
        spf,
        dkim: dkim.map((signature) => ({
          ...signature,
          aligned: domain !== '' && isAligned(domain, signature.domain, false),
        })),
        dmarc: hasOneAuthor || worst.alignedBy.length === 0 ? worst : invalid,
        arc: signatures.arc,
        fcrdns,
      },
    };
  }

  private async dmarcOf(
    domain: string,
    spf: SpfVerdict,
    dkim: ParsedArrival['signatures']['dkim'],
    network: string,
  ): Promise<DmarcVerdict> {
    const trouble: DmarcVerdict = { result: 'temperror', domain, alignedBy: [] };
    const judge = async (): Promise<DmarcVerdict> => {
      try {
        return evaluateDmarc(domain, await this.policyOf(domain, network), spf, dkim);
      } catch (error) {
        return error instanceof DnsUnavailableError ? trouble : { result: 'none', domain, alignedBy: [] };
      }
    };
    return within(judge(), trouble);
  }

  private async policyOf(domain: string, network: string): Promise<ReturnType<typeof readPolicy>> {
    const own = dmarcRecordOf(await this.dns.records('txt', `_dmarc.${domain}`, network));
    if (own !== undefined) return readPolicy(own, false);
    const parent = organizationalDomain(domain);
    if (parent === domain) return undefined;
    const inherited = dmarcRecordOf(await this.dns.records('txt', `_dmarc.${parent}`, network));
    return inherited === undefined ? undefined : readPolicy(inherited, true);
  }
}

interface Circumstances {
  readonly spf: SpfVerdict;
  readonly fcrdns: FcrdnsVerdict;
  readonly isUnverified: boolean;
  readonly hasOneAuthor: boolean;
}

/** The result of a look-up that must not take longer than a sender waits. */
async function within<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), maxLookUpMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
