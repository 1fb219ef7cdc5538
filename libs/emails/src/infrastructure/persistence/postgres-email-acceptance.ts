import { Transaction } from '#kernel';
import { Database, ItemResult, statementsOf } from '#platform/database';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { DecideGroup } from '../../application/acceptance/decide-group.js';
import { Acceptance, AcceptanceRequest, EmailAcceptance } from '../../application/ports/email-acceptance.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { AcceptanceGroups } from './acceptance-groups.js';
import { AcceptanceObserver } from './acceptance-observer.js';
import { AcceptedEmailsWriter } from './accepted-emails-writer.js';
import { RecentEmails } from './recent-emails.js';

/** How long mail is expected to be followed by more. */
const demandMs = 1_000;

/**
 * Accepts emails in shared transactions: one commit and a few statements for all requests that arrive within a few
 * milliseconds.
 */
@Injectable()
export class PostgresEmailAcceptance extends EmailAcceptance implements OnApplicationShutdown {
  private readonly groups = new AcceptanceGroups((requests) => this.writeGroup(requests));
  private lastAskedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly decideGroup: DecideGroup,
    private readonly writer: AcceptedEmailsWriter,
    private readonly recent: RecentEmails,
    private readonly observer: AcceptanceObserver,
  ) {
    super();
  }

  get isInDemand(): boolean {
    return performance.now() - this.lastAskedAt < demandMs;
  }

  async accept(request: AcceptanceRequest): Promise<Acceptance> {
    const startedAt = performance.now();
    this.lastAskedAt = startedAt;
    const acceptance = await this.groups.submit(request);
    this.observer.completed(performance.now() - startedAt);
    if (acceptance.kind === 'accepted') this.observer.accepted(request.emails);
    return acceptance;
  }

  async write(
    emails: readonly AcceptedEmail[],
    transaction: Transaction,
    last: () => Promise<void>,
  ): Promise<() => void> {
    const written = await this.writer.write(emails, statementsOf(transaction), last);
    return () => {
      this.observer.committed(1, emails);
      this.observer.accepted(emails);
      this.writer.announce(written);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.groups.drain();
  }

  private async writeGroup(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    try {
      return await this.writeTogether(requests);
    } catch (error) {
      if (requests.length === 1 && wasAlreadyCommitted(error)) return [{ value: { kind: 'accepted' } }];
      throw error;
    }
  }

  private async writeTogether(requests: readonly AcceptanceRequest[]): Promise<readonly ItemResult<Acceptance>[]> {
    await this.writer.writeAhead(requests.flatMap(({ emails }) => emails));
    const { results, emails, written } = await this.database.run(async (transaction) => {
      const decision = await this.decideGroup.execute(requests, transaction);
      return { ...decision, written: await this.writer.write(decision.emails, transaction) };
    });
    for (const email of emails) if (email.email.scheduledAt === null) this.recent.add(email);
    this.observer.committed(requests.length, emails);
    this.writer.announce(written);
    return results;
  }
}

/** Tables whose keys begin with an id that this process has generated for the email or its content. */
const keyedByOwnIds = /^(?:emails|recipients|email_events|message_contents)_p|^(?:scheduled_emails|outbound_queue)$/;

/**
 * After a failure the requests of a group are written again one by one. Only this process uses their ids. So where an
 * id already exists, the group had been committed and only the confirmation was lost.
 */
function wasAlreadyCommitted(error: unknown): boolean {
  const { code, table } = error as { code?: string; table?: string };
  return code === '23505' && keyedByOwnIds.test(table ?? '');
}
