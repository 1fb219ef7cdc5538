import { createHash } from 'node:crypto';
import { AskedConsent, ContactValues, MergeFields, RecipientConsent, RecipientConsents } from '#audience';
import { Domain, SendingDomains } from '#domains';
import { InMemoryMessageStore, MailDepth, QueuedRecipient } from '#emails';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
import { SecretBox } from '#platform/secrets';
import { Quotas } from '#rate-limit';
import { SuppressedAddresses, SuppressionOrigin } from '#suppressions';
import { AcceptEmails } from '../../../libs/emails/src/application/accept-emails.use-case.js';
import { AuthorizeSender, ComposeEmail } from '../../../libs/emails/src/application/compose-email.js';
import { ExpandTemplate } from '../../../libs/emails/src/application/expand-template.js';
import { LinkedAttachments } from '../../../libs/emails/src/application/linked-attachments.js';
import { MimeSpool } from '../../../libs/emails/src/application/mime-spool.js';
import {
  AcceptanceObserver,
  OutboundQueue,
  RecipientOfEmail,
} from '../../../libs/emails/src/application/ports/outbound-queue.port.js';
import { AttachmentSource, FetchedAttachment } from '../../../libs/emails/src/application/ports/email-contents.port.js';
import { RoomForMail } from '../../../libs/emails/src/application/ports/message-store.port.js';
import { RecentEmails } from '../../../libs/emails/src/application/outgoing-emails.js';
import { RecipientScreening } from '../../../libs/emails/src/application/recipient-screening.js';
import { SharedContents } from '../../../libs/emails/src/application/shared-contents.js';
import { WriteEmails } from '../../../libs/emails/src/application/write-emails.js';
import { AcceptedEmail, SpooledMime } from '../../../libs/emails/src/domain/accepted-email.js';
import { NoRoomForMailError } from '../../../libs/emails/src/domain/email-errors.js';
import { InMemoryAcceptedEmails, InMemoryEmailRepository } from './in-memory-email-repository.js';
import { InMemoryEmails } from './in-memory-emails.js';
import { InMemoryScheduledEmails } from './in-memory-scheduled-emails.js';
import { FakeClock } from './fake-clock.js';
import { InMemoryPublishedTemplates } from './in-memory-templates.js';
import { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.js';

export const sendingDomain = 'acme.test';

class RecordingQueue extends OutboundQueue {
  readonly enqueued: QueuedRecipient[] = [];

  async enqueue(recipients: readonly QueuedRecipient[]): Promise<void> {
    this.enqueued.push(...recipients);
  }

  async makeDue(): Promise<void> {}

  async withdraw(): Promise<readonly RecipientOfEmail[]> {
    return [];
  }

  wake(): void {}
}

class SwitchableRoom extends RoomForMail {
  isFull = false;

  check(): void {
    if (this.isFull) throw new NoRoomForMailError();
  }
}

class CountingSpool extends MimeSpool {
  taken = 0;
  /** Messages that hold memory. */
  held = 0;

  override async take(emailId: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime> {
    const mime = await super.take(emailId, content);
    this.taken++;
    this.held++;
    return mime;
  }

  override release(mime: SpooledMime): void {
    super.release(mime);
    this.held--;
  }
}

class SilentObserver extends AcceptanceObserver {
  completed(): void {}
  accepted(): void {}
  committed(): void {}
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
  readonly quotas = quotasThat(() => this.quotaError);
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
  readonly screening = new RecipientScreening(this.suppressions, this.consents, ['postrider.test'], this.clock);
  readonly scheduled = new InMemoryScheduledEmails(this.unitOfWork, this.emails, this.queue, this.screening);
  readonly depth = new MailDepth(new SecretBox('ab'.repeat(32)));
  readonly sender = new AuthorizeSender(this.domains, this.depth);
  readonly spool = new CountingSpool(this.store);
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
  readonly contents = new SharedContents(this.store, () => createHash('sha256'));
  readonly composeEmail = new ComposeEmail(
    this.sender,
    new ExpandTemplate(this.templates, this.contents, this.contactValues),
    this.screening,
    new LinkedAttachments(this.sources),
    this.spool,
    this.clock,
  );
  readonly observer = new SilentObserver();
  readonly acceptEmails = new AcceptEmails(
    this.composeEmail,
    this.spool,
    this.room,
    this.quotas,
    this.screening,
    this.keys,
    new WriteEmails(
      this.store,
      this.queue,
      new InMemoryAcceptedEmails(this.emails),
      this.quotas,
      new RecentEmails(false),
      this.observer,
    ),
    this.observer,
    this.unitOfWork,
    this.clock,
  );

  /** The email of a valid request in which the given fields are replaced. */
  compose(fields: object = {}): Promise<AcceptedEmail> {
    return this.composeEmail.fetching(this.teamId, (fetches) =>
      this.composeEmail.compose(this.principal, aRequest(fields), fetches),
    );
  }
}

function quotasThat(refusal: () => Error | undefined): Quotas {
  const refuse = (): void => {
    const error = refusal();
    if (error !== undefined) throw error;
  };
  return {
    get mayRefuse(): boolean {
      return refusal() !== undefined;
    },
    refuseBeyond: refuse,
    isBeyond: () => refusal() !== undefined,
    count: async () => refuse(),
  } as unknown as Quotas;
}

/** A valid request. A test gives only the fields it is about. */
export function aRequest<Fields extends object>(fields: Fields) {
  return { from: `Acme <hello@${sendingDomain}>`, to: 'ada@sink.test', subject: 'Hello', text: 'Hi', ...fields };
}

export function anIdempotentRequest(teamId: string, key = 'key', fingerprint = 'same') {
  return { teamId, endpoint: 'POST /emails', key, fingerprint: Buffer.from(fingerprint) };
}
