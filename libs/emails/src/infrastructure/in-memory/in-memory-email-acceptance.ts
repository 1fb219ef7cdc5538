import { inMemory, Transaction, UnitOfWork } from '#kernel';
import { DecideGroup } from '../../application/acceptance/decide-group.js';
import { Acceptance, AcceptanceRequest, EmailAcceptance } from '../../application/ports/email-acceptance.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { isPersonal } from '../../domain/email.js';
import { contentsOf } from '../persistence/stored-content.js';
import { InMemoryEmail, InMemoryEmails } from './in-memory-emails.js';

/** Accepts each request in a separate in-memory transaction, for tests. */
export class InMemoryEmailAcceptance extends EmailAcceptance {
  isInDemand = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly decideGroup: DecideGroup,
    private readonly emails: InMemoryEmails,
    private readonly store: MessageStore,
    private readonly queue: OutboundQueue,
  ) {
    super();
  }

  async accept(request: AcceptanceRequest): Promise<Acceptance> {
    const { result, wake } = await this.unitOfWork.run(async (transaction) => {
      const { results, emails } = await this.decideGroup.execute([request], transaction);
      return { result: results[0], wake: await this.write(emails, transaction, async () => undefined) };
    });
    wake();
    if (result === undefined) throw new Error('A request without a result');
    if ('error' in result) throw result.error;
    return result.value;
  }

  async write(
    emails: readonly AcceptedEmail[],
    transaction: Transaction,
    last: () => Promise<void>,
  ): Promise<() => void> {
    await this.store.put(emails.flatMap(contentsOf));
    for (const email of emails) this.add(email, transaction);
    const recipients = emails.flatMap(queuedRecipients);
    await this.queue.enqueue(recipients, transaction);
    await last();
    return () => this.queue.wake(recipients);
  }

  private add(accepted: AcceptedEmail, transaction: Transaction): void {
    const { email } = accepted;
    this.emails.byId.set(email.id, new InMemoryEmail(accepted));
    if (email.scheduledAt !== null) this.emails.waiting.set(email.id, email.scheduledAt);
    inMemory(transaction).onRollback(() => {
      this.emails.byId.delete(email.id);
      this.emails.waiting.delete(email.id);
    });
  }
}

function queuedRecipients({ email, region, recipients }: AcceptedEmail): QueuedRecipient[] {
  if (email.scheduledAt !== null) return [];
  const { id: emailId, teamId, domainId, size, createdAt: queuedAt } = email;
  return recipients
    .filter(({ withheld }) => withheld === undefined)
    .map(({ no, address }) => ({
      emailId,
      teamId,
      domainId,
      region,
      recipientNo: no,
      address,
      size,
      queuedAt,
      isPersonal: isPersonal(email),
      isBulk: email.isBulk === true,
    }));
}
