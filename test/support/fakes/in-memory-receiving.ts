import { newId, Page, pageOf, PageRequest } from '#kernel';
import { ReceiveMail } from '#inbound';
import type { ReceivedEmail, TeamAddress, Verdicts } from '#inbound';
import { ContentSpool } from '../../../libs/inbound/src/application/content-spool.js';
import { DecideRecipient } from '../../../libs/inbound/src/application/decide-recipient.js';
import { ScanArrival } from '../../../libs/inbound/src/application/scan-arrival.js';
import { MessageJudge } from '../../../libs/inbound/src/application/ports/message-judge.port.js';
import {
  AcceptedMessage,
  ErasedRecipients,
  ReceivedEmails,
  ReceivedFilter,
  StoredReceivedMessage,
} from '../../../libs/inbound/src/application/ports/received-emails.port.js';
import {
  RecipientDecision,
  RecipientQuestion,
  RecipientRouting,
} from '../../../libs/inbound/src/application/ports/inbound-routing.port.js';
import { ServiceMailboxes } from '../../../libs/inbound/src/application/ports/service-mailbox.port.js';
import { ReceivingPolicy } from '../../../libs/inbound/src/domain/receiving-policy.js';
import { InMemoryMessageStore } from '#emails';
import { FakeClock } from './fake-clock.js';
import { InMemoryDomains } from './in-memory-domains.js';

export const clean: Verdicts = {
  spf: { result: 'pass', domain: 'customer.test' },
  dkim: [],
  dmarc: { result: 'none', domain: 'customer.test', alignedBy: [] },
  arc: { result: 'none', sets: 0 },
  fcrdns: { result: 'none' },
  spam: null,
  virus: null,
};

export class InMemoryReceivedEmails extends ReceivedEmails {
  readonly emails: ReceivedEmail[] = [];
  readonly announced: string[] = [];
  readonly queued: string[] = [];
  private readonly receipts = new Map<string, string>();
  private readonly unused: string[] = [];

  constructor(private readonly store = new InMemoryMessageStore()) {
    super();
  }

  /** Only the fields that a test is about are given. */
  add(teamId: string, fields: Partial<ReceivedEmail> = {}): ReceivedEmail {
    const id = newId();
    const email: ReceivedEmail = {
      id,
      teamId,
      domainId: newId(),
      contentId: id,
      createdAt: new Date(),
      size: 10,
      mailFrom: '',
      recipients: ['a@acme.test'],
      from: 'Ada@b.test',
      to: [],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: '',
      messageId: '',
      threadId: newId(),
      attachments: [],
      client: { address: '192.0.2.1', helo: 'x', tls: null },
      verdicts: clean,
      isAboveQuota: false,
      trace: '',
      ...fields,
    };
    this.emails.push(email);
    return email;
  }

  async accept({ identity, content, arrivals }: AcceptedMessage): Promise<StoredReceivedMessage> {
    const receipt = identity.join('\n');
    const known = this.receipts.get(receipt);
    if (known !== undefined) return { id: known, receipt };
    this.receipts.set(receipt, content.id);
    if (content.bytes !== undefined) await this.store.put([{ id: content.id, bytes: content.bytes }]);
    for (const { email, announce, act } of arrivals) {
      this.emails.push(email);
      if (announce) this.announced.push(email.id);
      if (act) this.queued.push(email.id);
    }
    return { id: content.id, receipt };
  }

  async confirm(receipt: string): Promise<void> {
    this.receipts.delete(receipt);
  }

  async find(teamId: string, id: string): Promise<ReceivedEmail | undefined> {
    return this.emails.find((email) => email.id === id && email.teamId === teamId);
  }

  async findAny(id: string): Promise<ReceivedEmail | undefined> {
    return this.emails.find((email) => email.id === id);
  }

  async list(teamId: string, page: PageRequest, { threadId, from }: ReceivedFilter): Promise<Page<ReceivedEmail>> {
    const found = this.emails.filter(
      (email) =>
        email.teamId === teamId &&
        (threadId ?? email.threadId) === email.threadId &&
        (from ?? email.from.toLowerCase()) === email.from.toLowerCase(),
    );
    return pageOf(page, pageFrom([...found].reverse(), page));
  }

  async announce({ id }: ReceivedEmail): Promise<void> {
    this.announced.push(id);
  }

  async erase(teamId: string, address: string, limit: number): Promise<number> {
    const found = this.emails.filter((email) => email.teamId === teamId && email.from.toLowerCase() === address);
    const erased = found.slice(0, limit);
    for (const email of erased) this.emails.splice(this.emails.indexOf(email), 1);
    await this.removeUnused(erased);
    return erased.length;
  }

  async eraseRecipient(teamId: string, address: string, after: string, limit: number): Promise<ErasedRecipients> {
    const portion = this.emails.filter((email) => email.teamId === teamId && email.id > after).slice(0, limit);
    const isPerson = (name: string): boolean => name.toLowerCase() === address;
    const without = (names: readonly string[]): string[] => names.map((name) => (isPerson(name) ? 'erased' : name));
    const found = portion.filter(({ from, mailFrom, recipients, to, cc, bcc, replyTo }) =>
      [from, mailFrom, ...recipients, ...to, ...cc, ...bcc, ...replyTo].some(isPerson),
    );
    const settled = found.filter(({ id }) => !this.queued.includes(id));
    for (const email of settled) {
      const { recipients, to, cc, bcc, replyTo, trace } = email;
      const isAlone = isPerson(email.from) || [...recipients, ...to, ...cc, ...bcc].every(isPerson);
      const kept: ReceivedEmail = {
        ...email,
        recipients: without(recipients),
        to: without(to),
        cc: without(cc),
        bcc: without(bcc),
        replyTo: without(replyTo),
        mailFrom: without([email.mailFrom])[0] ?? '',
        trace: trace.toLowerCase().replaceAll(address, 'erased'),
      };
      this.emails.splice(this.emails.indexOf(email), 1, ...(isAlone ? [] : [kept]));
      if (isAlone) this.unused.push(email.contentId);
    }
    await this.removeUnused([]);
    const last = portion.length < limit ? undefined : portion.at(-1)?.id;
    return { erased: settled.length, last, isWaiting: settled.length < found.length };
  }

  private async removeUnused(erased: readonly ReceivedEmail[]): Promise<void> {
    this.unused.push(...erased.map(({ contentId }) => contentId));
    const ids = this.unused.filter((id) => !this.emails.some(({ contentId }) => contentId === id));
    await this.store.remove(ids);
    this.unused.length = 0;
  }
}

/** The items from a cursor on, in the direction of the request. `newestFirst` is a whole list. */
function pageFrom(newestFirst: readonly ReceivedEmail[], { after, before }: PageRequest): readonly ReceivedEmail[] {
  if (before !== undefined) return newestFirst.filter(({ id }) => id > before).reverse();
  return after === undefined ? newestFirst : newestFirst.filter(({ id }) => id < after);
}

/** Everything that receiving takes, in memory: a domain `acme.test` that receives, and verdicts that a test sets. */
export class InMemoryReceiving {
  readonly domains = new InMemoryDomains();
  readonly clock = new FakeClock();
  readonly emails = new InMemoryReceivedEmails();
  readonly store = new InMemoryMessageStore();
  verdicts = clean;
  hops = 0;
  messageId = '';
  /** Addresses of teams at the host of the service. */
  readonly addresses = new Map<string, TeamAddress>();
  isBeyondQuota = false;
  refusesSpam = false;
  decide: (question: RecipientQuestion) => RecipientDecision = () => ({ kind: 'accept', announce: true, act: false });

  readonly mailboxes = new ServiceMailboxes();
  readonly receiveMail: ReceiveMail;

  constructor(receiving: { find(name: string): Promise<unknown> }, spool?: ContentSpool) {
    const routing = { decide: async (question: RecipientQuestion) => this.decide(question) } satisfies RecipientRouting;
    const addresses = { find: async (address: string) => this.addresses.get(address) };
    const room = { check: () => undefined };
    const quotas = { isBeyond: () => this.isBeyondQuota };
    const policy = this.policy();
    const scorer = { score: async () => this.verdicts.spam };
    const scanner = { scan: async () => this.verdicts.virus };
    this.receiveMail = new ReceiveMail(
      new DecideRecipient(this.mailboxes, receiving as never, routing, addresses, room),
      this.judge(),
      spool ?? new ContentSpool(this.store),
      new ScanArrival(scorer, scanner, policy),
      policy,
      this.emails,
      quotas as never,
      this.clock,
      this.domains.names,
    );
  }

  private policy(): ReceivingPolicy {
    const isRefused = (): boolean => this.refusesSpam;
    const refusals = {
      enforcesDmarc: true,
      refusesViruses: true,
      get refusesSpam() {
        return isRefused();
      },
    };
    return new ReceivingPolicy(refusals, 10);
  }

  private judge() {
    const facts = () => ({
      from: 'ada@customer.test',
      authors: [],
      to: [],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'Hello',
      messageId: this.messageId,
      threadId: null,
      threadKeys: [],
      attachments: [],
    });
    return {
      anticipate: () => undefined,
      begin: (_origin: unknown, header: Uint8Array) => ({
        header,
        hops: this.hops,
        automatic: null,
        depth: 0,
        finish: async () => ({ facts: facts(), verdicts: this.verdicts }),
      }),
    } satisfies MessageJudge;
  }
}
