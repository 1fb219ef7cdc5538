import { beforeEach, expect, it } from '@jest/globals';
import { OwnedDomains } from '#domains';
import { Mailbox, Notice, parseMailbox } from '#kernel';
import { InMemorySending, sendingDomain } from '../../../../test/support/fakes/in-memory-sending.js';
import { NoticeOutbox } from './ports/notice-outbox.port.js';
import { NoticePosts } from './ports/notice-posts.port.js';
import { SendNotices } from './send-notices.use-case.js';

/** Notices with the time from which each is due. */
class Announced extends NoticeOutbox {
  readonly due = new Map<string, { readonly notice: Notice; dueAt: Date }>();

  announce(key: string, now: Date, to?: string): void {
    this.due.set(key, { notice: { key, subject: `About ${key}`, text: 'Text', to }, dueAt: now });
  }

  async acquire(now: Date, until: Date, limit: number): Promise<readonly Notice[]> {
    const taken = [...this.due.values()].filter(({ dueAt }) => dueAt <= now).slice(0, limit);
    for (const entry of taken) entry.dueAt = until;
    return taken.map(({ notice }) => notice);
  }

  async markSent(key: string): Promise<void> {
    this.due.delete(key);
  }
}

class Posts extends NoticePosts {
  readonly names = ['url 1'];
  readonly posted: string[] = [];
  isAway = false;

  async post(name: string, { key }: Notice): Promise<void> {
    if (this.isAway) throw new Error('the chat is away');
    this.posted.push(`${name}: ${key}`);
  }
}

let posts: Posts;
let sending: InMemorySending;
let outbox: Announced;
let owner: string | undefined;
let sendNotices: SendNotices;

beforeEach(() => {
  sending = new InMemorySending();
  outbox = new Announced();
  posts = new Posts();
  owner = sending.teamId;
  const owners = { teamOf: async (name: string) => (name === sendingDomain ? owner : undefined) } as OwnedDomains;
  const addresses = {
    from: parseMailbox(`Postrider <notices@${sendingDomain}>`) as Mailbox,
    to: parseMailbox('ops@sink.test') as Mailbox,
  };
  sendNotices = new SendNotices(outbox, posts, addresses, owners, sending.acceptEmails, sending.clock);
});

const sent = () => [...sending.emails.byId.values()].map(({ email }) => email);

it('a notice is sent once, by the service, to who runs it', async () => {
  outbox.announce('disk', sending.clock.now());
  expect(await sendNotices.sendDue()).toEqual([]);
  await sendNotices.sendDue();
  expect(sent()).toMatchObject([{ subject: 'About disk', teamId: sending.teamId, actor: { kind: 'service' } }]);
  expect(sending.queue.enqueued.map(({ address }) => address)).toEqual(['ops@sink.test']);
});

it('a notice that was sent but could not be marked as sent is not sent a second time', async () => {
  outbox.announce('disk', sending.clock.now());
  const markSent = outbox.markSent.bind(outbox);
  outbox.markSent = () => Promise.reject(new Error('the database is away'));
  expect(await sendNotices.sendDue()).toMatchObject([{ key: 'disk' }]);
  outbox.markSent = markSent;
  sending.clock.advance(600_000);
  expect(await sendNotices.sendDue()).toEqual([]);
  expect(sent()).toHaveLength(1);
});

it('what cannot be sent is told and tried again later, and holds up no other', async () => {
  owner = undefined;
  outbox.announce('one', sending.clock.now());
  outbox.announce('two', sending.clock.now());
  const unsent = await sendNotices.sendDue();
  expect(unsent.map(({ key }) => key)).toEqual(['one', 'two']);
  expect(String(unsent[0]?.error)).toContain('is not verified');
  owner = sending.teamId;
  expect(await sendNotices.sendDue()).toEqual([]);
  expect(sent()).toEqual([]);
  sending.clock.advance(600_000);
  await sendNotices.sendDue();
  expect(sent()).toHaveLength(2);
});

it('what goes to a URL is posted there, and tried again, without a mail', async () => {
  outbox.announce('disk', sending.clock.now(), 'url 1');
  posts.isAway = true;
  expect(await sendNotices.sendDue()).toMatchObject([{ key: 'disk' }]);
  posts.isAway = false;
  sending.clock.advance(600_000);
  expect(await sendNotices.sendDue()).toEqual([]);
  await sendNotices.sendDue();
  expect([posts.posted, sent()]).toEqual([['url 1: disk'], []]);
});
