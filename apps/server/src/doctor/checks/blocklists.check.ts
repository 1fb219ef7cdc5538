import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { addressQuestions, BlocklistAnswer, BlocklistQuestion, Blocklists, domainQuestions } from '../blocklists.js';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { SourceAddresses } from '../source-addresses.js';

/** The newest domains, of all teams. */
const maxDomains = 200;

/**
 * Asks the blocklists of the operator's choice for the addresses that mail leaves from, and for the domains that send.
 * No list is asked unless it is configured: each has terms of use.
 */
@Injectable()
export class BlocklistsCheck extends DoctorCheck {
  readonly name = 'Blocklists';

  constructor(
    private readonly blocklists: Blocklists,
    private readonly addresses: SourceAddresses,
    private readonly database: Database,
    private readonly config: Config,
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
    const silent = new Set<string>();
    const findings = await Promise.all(
      questions.map(async (question) => findingOf(question, await this.blocklists.ask(question, 'the doctor', silent))),
    );
    const bad = findings.filter((finding) => finding !== undefined);
    return bad.length > 0 ? bad : [green('no address or domain is listed')];
  }

  private async aboutAddresses(lists: readonly string[]): Promise<BlocklistQuestion[]> {
    return (await this.addresses.ofServiceAndPools()).flatMap((address) => addressQuestions(address, lists));
  }

  private async aboutDomains(lists: readonly string[]): Promise<BlocklistQuestion[]> {
    const domains = await this.database.query<{ name: string }>({
      text: 'SELECT name FROM published_domains ORDER BY id DESC LIMIT $1',
      values: [maxDomains],
    });
    return domains.flatMap(({ name }) => domainQuestions(name, lists));
  }
}

function findingOf({ subject, list }: BlocklistQuestion, answer: BlocklistAnswer): DoctorFinding | undefined {
  switch (answer.kind) {
    case 'not_listed':
    case 'skipped':
      return undefined;
    case 'silent':
      return yellow(`could not be asked: ${answer.reason}`, 'Ask it again later, or take it out of BLOCKLISTS.', list);
    case 'lists_all':
      return yellow(
        'lists everything, even what no list may have: its answers say nothing',
        'It was probably given up. Take it out of BLOCKLISTS or DOMAIN_BLOCKLISTS.',
        list,
      );
    case 'refused':
      return yellow(
        `${list} refused the question with ${answer.code}: this says nothing about it`,
        'Ask through a resolver of your own (DNS_SERVERS), and see the terms of use of the list.',
        subject,
      );
    case 'listed':
      return red(
        `is listed by ${list} with ${answer.codes.join(', ')}${answer.reason === '' ? '' : `: ${answer.reason}`}`,
        'Find and stop what led to it, then ask the list to remove it. Its page names the reason.',
        subject,
      );
  }
}
