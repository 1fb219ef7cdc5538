import { Domain } from '#domains';
import { DomainListings, Listing, Listings } from '#insights';
import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { addressQuestions, BlocklistAnswer, BlocklistQuestion, Blocklists, domainQuestions } from './blocklists.js';
import { SourceAddresses } from './source-addresses.js';

const maxWaitMs = 1_500;
/** Questions about one domain. */
const maxQuestions = 200;
/** How long a list that gave no answer is left alone, in ms. */
const silentForMs = 600_000;

interface Asked {
  readonly kind: Listing['kind'];
  readonly question: BlocklistQuestion;
}

@Injectable()
export class AskedListings extends DomainListings {
  private readonly silent = new Set<string>();
  private forgetsAt = 0;

  constructor(
    private readonly blocklists: Blocklists,
    private readonly addresses: SourceAddresses,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  async of(domain: Domain): Promise<Listings | undefined> {
    const { blocklists, domainBlocklists } = this.config.values;
    if (domain.sandbox || blocklists.length + domainBlocklists.length === 0) return undefined;
    this.forgetSilent();
    const answers: (readonly [Asked, BlocklistAnswer])[] = [];
    const questions: Asked[] = [];
    const ask = async (more: readonly Asked[]): Promise<void> => {
      const asking = more.slice(0, maxQuestions - questions.length);
      questions.push(...asking);
      await Promise.all(
        asking.map(async (asked) => {
          answers.push([asked, await this.blocklists.ask(asked.question, domain.teamId, this.silent)]);
        }),
      );
    };
    await withinTime(
      Promise.all([
        ask(domainQuestions(domain.name, domainBlocklists).map((question): Asked => ({ kind: 'domain', question }))),
        this.aboutAddresses(domain, blocklists).then(ask),
      ]),
    );
    const told = answers.filter(([, { kind }]) => kind === 'listed' || kind === 'not_listed');
    return {
      listed: answers.flatMap(([asked, answer]) => listingOf(asked, answer)),
      answered: told.length,
      unanswered: questions.length - told.length,
    };
  }

  private async aboutAddresses(domain: Domain, lists: readonly string[]): Promise<Asked[]> {
    if (lists.length === 0 || this.config.values.deliveryTransport !== 'mx') return [];
    // Without the DNS, or while the routes file is edited, nothing is known of the addresses.
    const addresses = await this.addresses.ofDomain(domain).catch(() => []);
    return addresses.flatMap((address) =>
      addressQuestions(address, lists).map((question): Asked => ({ kind: 'address', question })),
    );
  }

  private forgetSilent(): void {
    const now = this.clock.now().getTime();
    if (now < this.forgetsAt && this.forgetsAt <= now + silentForMs) return;
    this.silent.clear();
    this.forgetsAt = now + silentForMs;
  }
}

/** Questions that take longer go on in the background. */
async function withinTime(work: Promise<unknown>): Promise<void> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxWaitMs)));
  await Promise.race([work, timeIsUp]).finally(() => clearTimeout(timer));
}

function listingOf({ kind, question: { subject, list } }: Asked, answer: BlocklistAnswer): Listing[] {
  if (answer.kind !== 'listed') return [];
  const { codes, reason, since } = answer;
  return [{ subject, kind, list, codes, reason, since }];
}
