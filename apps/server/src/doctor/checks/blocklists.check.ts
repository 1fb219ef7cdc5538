import { DnsResolver, DnsUnavailableError, reverseName } from '#domains';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { SourceAddresses } from '../source-addresses.js';

/** Lists ask their users not to repeat questions. */
const freshForMs = 6 * 3_600_000;
/** The newest domains, of all teams. */
const maxDomains = 200;
/** Questions at once. */
const atOnce = 10;
const maxReasonLength = 200;

interface Question {
  /** The address or domain. */
  readonly subject: string;
  /** What is put before the name of the list. */
  readonly label: string;
  readonly list: string;
}

/**
 * Asks the blocklists of the operator's choice for the addresses that mail leaves from, and for the domains that send
 * (RFC 5782). No list is asked unless it is configured: each has terms of use.
 */
@Injectable()
export class BlocklistsCheck extends DoctorCheck {
  readonly name = 'Blocklists';
  /** Lists that gave no answer in this run: each question would wait as long. */
  private readonly silent = new Set<string>();
  private readonly known = new Map<string, { readonly at: number; readonly finding: DoctorFinding | undefined }>();

  constructor(
    private readonly addresses: SourceAddresses,
    private readonly dns: DnsResolver,
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { blocklists, domainBlocklists } = this.config.values;
    if (blocklists.length + domainBlocklists.length === 0) return [green('none are asked: BLOCKLISTS is not set')];
    const questions = [
      ...(blocklists.length === 0 ? [] : await this.aboutAddresses(blocklists)),
      ...(domainBlocklists.length === 0 ? [] : await this.aboutDomains(domainBlocklists)),
    ];
    const findings: DoctorFinding[] = [];
    this.silent.clear();
    for (let from = 0; from < questions.length; from += atOnce) {
      const answers = await Promise.all(questions.slice(from, from + atOnce).map((question) => this.ask(question)));
      findings.push(...answers.filter((finding) => finding !== undefined));
    }
    this.forgetOthers(questions);
    if (findings.length > 0) return findings;
    return [green('no address or domain is listed')];
  }

  private async aboutAddresses(lists: readonly string[]): Promise<Question[]> {
    return (await this.addresses.all()).flatMap((subject) => {
      const label = reverseName(subject)?.replace(/\.(?:in-addr|ip6)\.arpa$/, '');
      return label === undefined ? [] : lists.map((list) => ({ subject, label, list }));
    });
  }

  private async aboutDomains(lists: readonly string[]): Promise<Question[]> {
    const domains = await this.database.query<{ name: string }>({
      text: 'SELECT name FROM published_domains ORDER BY id DESC LIMIT $1',
      values: [maxDomains],
    });
    return domains.flatMap(({ name }) => lists.map((list) => ({ subject: name, label: name, list })));
  }

  private async ask(question: Question): Promise<DoctorFinding | undefined> {
    const now = this.clock.now().getTime();
    const name = `${question.label}.${question.list}`;
    const known = this.known.get(name);
    if (known !== undefined && now - known.at < freshForMs) return known.finding;
    if (this.silent.has(question.list)) return undefined;
    try {
      const finding = await this.findingOf(question, name, await this.dns.a(name));
      this.known.set(name, { at: now, finding });
      return finding;
    } catch (error) {
      if (!(error instanceof DnsUnavailableError)) throw error;
      const wasSilent = this.silent.has(question.list);
      this.silent.add(question.list);
      if (wasSilent) return undefined;
      const fix = 'Ask it again later, or take it out of BLOCKLISTS.';
      return yellow(`could not be asked: ${error.reason}`, fix, question.list);
    }
  }

  /** Codes are 127.0.0.0/8; those of 127.255.255.0/24 say that the question was refused, for example to a public resolver. */
  private async findingOf(
    { subject, list }: Question,
    name: string,
    codes: readonly string[],
  ): Promise<DoctorFinding | undefined> {
    if (codes.length === 0) return undefined;
    const refused = codes.find((code) => code.startsWith('127.255.255.') || !code.startsWith('127.'));
    if (refused !== undefined) {
      return yellow(
        `${list} refused the question with ${refused}: this says nothing about it`,
        'Ask through a resolver of your own (DNS_SERVERS), and see the terms of use of the list.',
        subject,
      );
    }
    const [text = ''] = await this.dns.txt(name).catch(() => []);
    const reason = text.slice(0, maxReasonLength).replace(/\p{Cc}/gu, ' ');
    return red(
      `is listed by ${list} with ${codes.join(', ')}${reason === '' ? '' : `: ${reason}`}`,
      'Find and stop what led to it, then ask the list to remove it. Its page names the reason.',
      subject,
    );
  }

  /** Domains and addresses that are gone take no memory. */
  private forgetOthers(questions: readonly Question[]): void {
    const asked = new Set(questions.map(({ label, list }) => `${label}.${list}`));
    for (const name of this.known.keys()) if (!asked.has(name)) this.known.delete(name);
  }
}
