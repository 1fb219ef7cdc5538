import { AskedConsent, ContactValues, MergeFields, RecipientConsent, RecipientConsents } from '#audience';
import { Domain, SendingDomains } from '#domains';
import { InMemoryMessageStore, QueuedRecipient } from '#emails';
import { InMemoryIdempotencyKeys } from '#idempotency';
import { Principal } from '#identity';
import { InMemoryUnitOfWork, newId } from '#kernel';
import { Quotas } from '#rate-limit';
import { SuppressedAddresses, SuppressionOrigin } from '#suppressions';
import { AcceptOnce } from '../../libs/emails/src/application/acceptance/accept-once.js';
import { AuthorizeSender } from '../../libs/emails/src/application/acceptance/authorize-sender.js';
import { ClaimKeys } from '../../libs/emails/src/application/acceptance/claim-keys.js';
import { ComposeEmail } from '../../libs/emails/src/application/acceptance/compose-email.js';
import { DecideGroup } from '../../libs/emails/src/application/acceptance/decide-group.js';
import { KnownTopics } from '../../libs/emails/src/application/acceptance/known-topics.js';
import { QuotaCheck } from '../../libs/emails/src/application/acceptance/quota-check.js';
import { RecipientScreening } from '../../libs/emails/src/application/acceptance/recipient-screening.js';
import { LinkedAttachments } from '../../libs/emails/src/application/linked-attachments.js';
import { AttachmentSource, FetchedAttachment } from '../../libs/emails/src/application/ports/attachment-source.port.js';
import { OutboundQueue } from '../../libs/emails/src/application/ports/outbound-queue.port.js';
import { RoomForMail } from '../../libs/emails/src/application/ports/room-for-mail.port.js';
import { RecipientValues } from '../../libs/emails/src/application/acceptance/recipient-values.js';
import { TemplatedDrafts } from '../../libs/emails/src/application/acceptance/templated-drafts.js';
import { AcceptedEmail } from '../../libs/emails/src/domain/accepted-email.js';
import { NoRoomForMailError } from '../../libs/emails/src/domain/email-errors.js';
import { InMemoryEmailAcceptance } from '../../libs/emails/src/infrastructure/in-memory/in-memory-email-acceptance.js';
import { InMemoryEmailRepository } from '../../libs/emails/src/infrastructure/in-memory/in-memory-email-repository.js';
import { InMemoryEmails } from '../../libs/emails/src/infrastructure/in-memory/in-memory-emails.js';
import { InMemoryScheduledEmails } from '../../libs/emails/src/infrastructure/in-memory/in-memory-scheduled-emails.js';
import { DailySharedContents } from '../../libs/emails/src/infrastructure/contents/daily-shared-contents.js';
import { FakeClock } from './fake-clock.js';
import { InMemoryPublishedTemplates } from './in-memory-templates.js';

export const sendingDomain = 'acme.test';

class RecordingQueue extends OutboundQueue {
  readonly enqueued: QueuedRecipient[] = [];

  async enqueue(recipients: readonly QueuedRecipient[]): Promise<void> {
    this.enqueued.push(...recipients);
  }

  async makeDue(): Promise<void> {}

  wake(): void {}
}

class SwitchableRoom extends RoomForMail {
  isFull = false;

  check(): void {
    if (this.isFull) throw new NoRoomForMailError();
  }
}

class KnownAttachments extends AttachmentSource {
  readonly byUrl = new Map<string, FetchedAttachment | Error>();

  async fetch(_: string, url: string): Promise<FetchedAttachment> {
    const known = this.byUrl.get(url) ?? new Error(`nothing is at ${url}`);
    if (known instanceof Error) throw known;
    return known;
  }
}

/** All dependencies of sending, in memory: one team with one verified domain. */
export class InMemorySending {
  readonly teamId = newId();
  readonly domainId = newId();
  readonly principal = Principal.ofUser({ id: newId(), teamId: this.teamId, role: 'owner' });
  readonly clock = new FakeClock();
  readonly room = new SwitchableRoom();
  readonly sources = new KnownAttachments();
  readonly queue = new RecordingQueue();
  readonly store = new InMemoryMessageStore();
  readonly keys = new InMemoryIdempotencyKeys();
  readonly emails = new InMemoryEmails();
  readonly unitOfWork = new InMemoryUnitOfWork();
  readonly suppressed = new Map<string, SuppressionOrigin>();
  /** If set, the error with which the quota of every team refuses. */
  quotaError: Error | undefined;

  readonly domains = {
    require: async (teamId: string, name: string): Promise<Domain> => {
      if (teamId !== this.teamId || name !== sendingDomain) throw new Error(`${name} is not verified`);
      return { id: this.domainId, teamId, name, region: 'eu-west-1' } as Domain;
    },
  } as unknown as SendingDomains;
  readonly quotas = {
    refuseBeyond: (): void => {
      if (this.quotaError !== undefined) throw this.quotaError;
    },
    isBeyond: (): boolean => this.quotaError !== undefined,
  } as unknown as Quotas;
  readonly suppressions = {
    among: async (asked: readonly { readonly address: string }[]) => ({
      originOf: (_: string, address: string) =>
        asked.some((one) => one.address === address) ? this.suppressed.get(address) : undefined,
    }),
  } as unknown as SuppressedAddresses;

  readonly repository = new InMemoryEmailRepository(this.emails, this.store);
  /** By topic and address, or by topic alone for its default. A topic without an entry does not exist. */
  readonly subscriptions = new Map<string, RecipientConsent>();
  readonly consents = {
    of: async (asked: readonly AskedConsent[]): Promise<RecipientConsent[]> =>
      asked.map(
        ({ topicId, address }) =>
          this.subscriptions.get(`${topicId} ${address}`) ??
          this.subscriptions.get(`${topicId}`) ?? { unsubscribed: false, subscription: null },
      ),
  } as unknown as RecipientConsents;
  readonly screening = new RecipientScreening(this.suppressions, this.consents, ['postrider.test']);
  readonly scheduled = new InMemoryScheduledEmails(this.unitOfWork, this.emails, this.queue, this.screening);
  readonly claimKeys = new ClaimKeys(this.keys);
  readonly sender = new AuthorizeSender(this.domains, this.room);
  readonly acceptance = new InMemoryEmailAcceptance(
    this.unitOfWork,
    new DecideGroup(this.screening, this.claimKeys),
    this.emails,
    this.store,
    this.queue,
  );
  readonly acceptOnce = new AcceptOnce(
    this.sender,
    new QuotaCheck(this.quotas),
    this.claimKeys,
    this.acceptance,
    this.clock,
  );
  readonly linkedAttachments = new LinkedAttachments(this.sources);
  readonly templates = new InMemoryPublishedTemplates();
  /** The first names of contacts, by address. */
  readonly firstNames = new Map<string, string>();
  /** The addresses of each read of contacts. */
  readonly contactReads: (readonly string[])[] = [];
  readonly contactValues = {
    fieldsOf: async (_: string, addresses: readonly string[]): Promise<ReadonlyMap<string, MergeFields>> => {
      this.contactReads.push(addresses);
      const fields = { lastName: null, properties: { plan: 'free' }, lacking: new Set(['plan']) };
      return new Map(
        addresses.map((email) => [email, { ...fields, email, firstName: this.firstNames.get(email) ?? null }]),
      );
    },
  } as unknown as ContactValues;
  readonly contents = new DailySharedContents(this.store);
  readonly composeEmail = new ComposeEmail(
    this.sender,
    this.linkedAttachments,
    new TemplatedDrafts(this.templates, this.contents, new RecipientValues(this.contactValues)),
    new KnownTopics(this.consents, this.clock),
    this.clock,
  );

  /** The email of a valid request in which the given fields are replaced. */
  compose(fields: object = {}): Promise<AcceptedEmail> {
    return this.linkedAttachments.during(this.teamId, (fetches) =>
      this.composeEmail.execute(this.principal, aRequest(fields), fetches),
    );
  }
}

/** A valid request. A test gives only the fields it is about. */
export function aRequest<Fields extends object>(fields: Fields) {
  return { from: `Acme <hello@${sendingDomain}>`, to: 'ada@sink.test', subject: 'Hello', text: 'Hi', ...fields };
}

export function anIdempotentRequest(teamId: string, key = 'key', fingerprint = 'same') {
  return { teamId, endpoint: 'POST /emails', key, fingerprint: Buffer.from(fingerprint) };
}
