import { IdempotencyClaim } from '#idempotency';
import { Transaction } from '#kernel';
import { Database, GroupCommit, ItemResult } from '#platform/database';
import { GroupCommitMetrics, Metrics } from '#platform/metrics';
import { AcceptedEmailTrace, EmailTracing } from '#platform/tracing';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Acceptance, EmailAcceptance } from '../../application/ports/email-acceptance.port.js';
import { RecipientScreening } from '../../application/recipient-screening.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { AcceptanceClaims } from './acceptance-claims.js';
import { AcceptedEmailsWriter } from './accepted-emails-writer.js';
import { RecentEmails } from './recent-emails.js';

/** Emails that are accepted together or not at all. */
interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
}

/** What has more bytes goes alone, so that small mail never waits behind it. */
const largestShared = 1024 * 1024;
/** How long a team whose email made a shared transaction fail writes apart from the others, in ms. */
const suspectMs = 60_000;
const maxSuspects = 1_000;
/** So does what has more emails: a large batch fills a transaction by itself, and gains nothing from company. */
const mostShared = 25;
/** A client is told to come again rather than left waiting; many give up after ten seconds. */
const patienceMs = 5_000;

/**
 * Accepts emails in shared transactions: one commit and a handful of statements for everything that arrives within a
 * few milliseconds.
 */
@Injectable()
export class PostgresEmailAcceptance extends EmailAcceptance implements OnApplicationShutdown {
  private readonly small = new GroupCommit((requests: readonly AcceptanceRequest[]) => this.write(requests), {
    maximumBatch: 256,
    concurrency: 2,
    gatherMs: 2,
    patienceMs,
    ownerOf: ({ emails }) => emails[0]?.email.teamId ?? '',
    onCulprit: (request) => this.suspect(request),
  });
  /** One at a time, whoever it is of: a team that makes transactions fail waits behind its like alone. */
  private readonly suspicious = new GroupCommit((requests: readonly AcceptanceRequest[]) => this.write(requests), {
    maximumBatch: 1,
    concurrency: 1,
    gatherMs: 0,
    patienceMs,
  });
  private readonly suspects = new Map<string, number>();
  private readonly large = new GroupCommit((requests: readonly AcceptanceRequest[]) => this.write(requests), {
    maximumBatch: 1,
    concurrency: 4,
    gatherMs: 0,
    patienceMs,
  });
  private readonly accepted: Counter<'door'>;
  private readonly durations: Histogram;

  constructor(
    private readonly database: Database,
    private readonly claims: AcceptanceClaims,
    private readonly writer: AcceptedEmailsWriter,
    private readonly recent: RecentEmails,
    private readonly screening: RecipientScreening,
    private readonly tracing: EmailTracing,
    private readonly batches: GroupCommitMetrics,
    metrics: Metrics,
  ) {
    super();
    this.accepted = metrics.counter('postrider_emails_accepted_total', 'Emails accepted for sending', ['door']);
    this.durations = metrics.histogram(
      'postrider_acceptance_duration_seconds',
      'From a checked request to its durable commit',
      [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    );
  }

  async accept(emails: readonly AcceptedEmail[], claim?: IdempotencyClaim): Promise<Acceptance> {
    if (claim === undefined) this.writer.refuseBeyondQuota(emails);
    const size = emails.reduce((sum, { email }) => sum + email.size, 0);
    // A repetition is answered even where the quota is used up. Only the transaction can tell it from a first, and that
    // one is likely to fail: the neighbours are spared it.
    const alone = size > largestShared || emails.length > mostShared || this.writer.isBeyondQuota(emails);
    const startedAt = performance.now();
    const shared = this.isSuspect(emails) ? this.suspicious : this.small;
    const acceptance = await (alone ? this.large : shared).submit({ emails, claim });
    this.durations.observe((performance.now() - startedAt) / 1_000);
    if (acceptance.kind === 'accepted') this.tracing.accepted(emails.map(traceOf));
    return acceptance;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.small.drain(), this.suspicious.drain(), this.large.drain()]);
  }

  private suspect({ emails }: AcceptanceRequest): void {
    const [first] = emails;
    if (first === undefined) return;
    if (this.suspects.size >= maxSuspects) this.suspects.delete(this.suspects.keys().next().value as string);
    this.suspects.set(first.email.teamId, performance.now() + suspectMs);
  }

  private isSuspect([first]: readonly AcceptedEmail[]): boolean {
    const teamId = first?.email.teamId ?? '';
    const until = this.suspects.get(teamId);
    if (until === undefined) return false;
    if (until < performance.now()) this.suspects.delete(teamId);
    return until >= performance.now();
  }

  private async write(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    try {
      return await this.writeTogether(requests);
    } catch (error) {
      if (requests.length === 1 && isCommittedBefore(error)) return [{ value: { kind: 'accepted' } }];
      throw error;
    }
  }

  private async writeTogether(given: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    await this.writer.writeAhead(given.flatMap(({ emails }) => emails));
    const { results, emails, written } = await this.database.run(async (transaction) => {
      const [requests, settled] = await Promise.all([
        this.screened(given, transaction),
        this.claims.settle(given, transaction),
      ]);
      const accepted = requests.flatMap((request, index) => (isAccepted(settled[index]) ? request.emails : []));
      return { results: settled, emails: accepted, written: await this.writer.write(accepted, transaction) };
    });
    for (const email of emails) if (email.email.scheduledAt === null) this.recent.add(email);
    for (const email of emails) this.accepted.inc({ door: doorOf(email) });
    this.batches.observe('acceptance', given.length);
    this.writer.announce(written);
    return results;
  }

  /** One read for all of them. */
  private async screened(
    requests: readonly AcceptanceRequest[],
    transaction: Transaction,
  ): Promise<readonly AcceptanceRequest[]> {
    const emails = await this.screening.screen(
      requests.flatMap((request) => request.emails),
      transaction,
    );
    let start = 0;
    return requests.map((request) => {
      const end = start + request.emails.length;
      const own = { ...request, emails: emails.slice(start, end) };
      start = end;
      return own;
    });
  }
}

function traceOf(accepted: AcceptedEmail): AcceptedEmailTrace {
  const { id, size, createdAt } = accepted.email;
  return { emailId: id, door: doorOf(accepted), recipients: accepted.recipients.length, size, createdAt };
}

function doorOf({ mime }: AcceptedEmail): 'http' | 'smtp' {
  return mime === undefined ? 'http' : 'smtp';
}

function isAccepted(result: ItemResult<Acceptance> | undefined): boolean {
  return result !== undefined && 'value' in result && result.value.kind === 'accepted';
}

/** Tables whose keys begin with an id that this process has made for the email or its content. */
const keyedByOwnIds = /^(?:emails|recipients|email_events|message_contents)_p|^(?:scheduled_emails|outbound_queue)$/;

/**
 * A group that failed is written again one by one. Its ids are ours alone: where one exists already, the group had been
 * committed and only the answer was lost.
 */
function isCommittedBefore(error: unknown): boolean {
  const { code, table } = error as { code?: string; table?: string };
  return code === '23505' && keyedByOwnIds.test(table ?? '');
}
