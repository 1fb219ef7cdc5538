import { contactMergeValues, ConsentingContact, FixedAudience } from '#audience';
import { MailingRecipient, MailingResult, PreparedMailing, SendMailing } from '#emails';
import { Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { BroadcastRuns, BroadcastWork, Slice, SliceResult } from '../ports/broadcast-runs.port.js';
import { OpenMailing, OpenMailings } from './open-mailings.js';

interface Candidate {
  readonly contact: ConsentingContact;
  readonly recipient: MailingRecipient;
}

/**
 * Sends a broadcast to the next contacts of its audience. One transaction claims them, reads them as they are now, decides who gets
 * nothing, accepts the emails of the others and writes how far it came. Contacts that unsubscribed before the transaction began get
 * nothing, and after a crash at any point either the whole slice is there or nothing of it.
 */
@Injectable()
export class SendSlice {
  constructor(
    private readonly mailings: OpenMailings,
    private readonly runs: BroadcastRuns,
    private readonly audience: FixedAudience,
    private readonly sendMailing: SendMailing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** False where there was nothing to claim. Throws what keeps the whole broadcast from being sent. */
  async execute(work: BroadcastWork, limit: number): Promise<boolean> {
    const open = await this.mailings.of(work);
    if (open === undefined) return false;
    const prepared = await this.sendMailing.prepare(open.mailing, open.compiled);
    const wake = await this.work.run(async (transaction) => {
      const now = this.clock.now();
      const slice = await this.runs.claim(work, limit, now, transaction);
      if (slice === undefined) return undefined;
      const { teamId } = work;
      const { topicId, properties } = open;
      const ids = slice.contactIds;
      const contacts = await this.audience.contacts({ teamId, ids, topicId, properties }, transaction);
      const { skipped, candidates } = decided(slice, contacts, open);
      const accepted = { ...work, domainId: prepared.sender.domainId, hasTest: open.mailing.subjects.length > 1 };
      const record = (results: readonly MailingResult[]): Promise<void> =>
        this.runs.record(accepted, slice, [...skipped, ...outcomes(candidates, results)], now, transaction);
      return this.accept(prepared, candidates, transaction, record);
    });
    wake?.();
    return wake !== undefined;
  }

  private accept(
    prepared: PreparedMailing,
    candidates: readonly Candidate[],
    transaction: Parameters<SendMailing['accept']>[2],
    record: (results: readonly MailingResult[]) => Promise<void>,
  ): Promise<() => void> {
    const recipients = candidates.map(({ recipient }) => recipient);
    return this.sendMailing.accept(prepared, recipients, transaction, record);
  }
}

/** Who gets nothing because of what it wants, or because it is gone. */
function decided(
  { contactIds, variants }: Slice,
  contacts: ReadonlyMap<string, ConsentingContact>,
  { topicId, names }: OpenMailing,
): { readonly skipped: readonly SliceResult[]; readonly candidates: readonly Candidate[] } {
  const skipped: SliceResult[] = [];
  const candidates: Candidate[] = [];
  contactIds.forEach((contactId, no) => {
    const contact = contacts.get(contactId);
    if (contact === undefined) return void skipped.push({ contactId, reason: 'deleted' });
    const reason = unwillingness(contact, topicId);
    if (reason !== undefined) return void skipped.push({ contactId, email: contact.email, reason });
    const recipient = { to: contact.email, values: contactMergeValues(contact, names), subject: variants[no] ?? 0 };
    candidates.push({ contact, recipient });
  });
  return { skipped, candidates };
}

function unwillingness(
  { unsubscribed, subscription }: ConsentingContact,
  topicId: string | null,
): 'unsubscribed' | 'not_subscribed' | undefined {
  if (unsubscribed) return 'unsubscribed';
  // Nobody has a topic that was deleted.
  return topicId !== null && subscription !== 'opt_in' ? 'not_subscribed' : undefined;
}

function outcomes(candidates: readonly Candidate[], results: readonly MailingResult[]): SliceResult[] {
  return candidates.map(({ contact: { id: contactId, email } }, no): SliceResult => {
    const result = results[no] as MailingResult;
    if (!('emailId' in result)) return { contactId, email, reason: result.withheld };
    const { emailId, withheld } = result;
    return withheld === undefined ? { contactId, email, emailId } : { contactId, email, emailId, reason: withheld };
  });
}
