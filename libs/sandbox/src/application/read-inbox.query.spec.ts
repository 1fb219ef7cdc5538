import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryRows, newId, Page, PageRequest } from '#kernel';
import { InboxMessage, ReceivedMessage, Viewer } from '../domain/inbox-message.js';
import { SandboxInbox, SignatureVerifier } from './ports/inbox.port.js';
import { ReadInbox } from './read-inbox.query.js';

class KeptMail extends SandboxInbox {
  private readonly rows = new InMemoryRows<ReceivedMessage>();

  async add(message: ReceivedMessage): Promise<void> {
    this.rows.set(message);
  }

  async list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>> {
    return this.rows.page(page, (message) => isFor(viewer, message));
  }

  async find(viewer: Viewer, id: string): Promise<InboxMessage | undefined> {
    const message = this.rows.get(id);
    return message !== undefined && isFor(viewer, message) ? message : undefined;
  }

  async *pieces({ id }: InboxMessage): AsyncGenerator<Uint8Array> {
    const { raw } = this.rows.get(id) as ReceivedMessage;
    for (let at = 0; at < raw.length; at += 4) yield raw.subarray(at, at + 4);
  }
}

function isFor(viewer: Viewer, { teamId }: InboxMessage): boolean {
  return viewer === 'operator' || viewer.teamId === teamId;
}

const teamId = newId();
let inbox: KeptMail;
let verified: [string, string][];
let readInbox: ReadInbox;

beforeEach(() => {
  inbox = new KeptMail();
  verified = [];
  const verify = async (raw: Uint8Array, reader: string) => {
    verified.push([Buffer.from(raw).toString(), reader]);
    return 'pass' as const;
  };
  readInbox = new ReadInbox(inbox, { verify } satisfies SignatureVerifier);
});

async function add(of: string | null, text = 'Subject: Hi\r\n\r\nHello'): Promise<InboxMessage> {
  const raw = Buffer.from(text);
  const header = { from: 'a@acme.test', to: ['b@sink.test'], subject: 'Hi', receivedAt: new Date() };
  const message = { id: newId(), teamId: of, ...header, size: raw.length, raw };
  await inbox.add(message);
  return message;
}

it('a team sees its own mail, the operator all of it', async () => {
  const [mine, theirs, nobodys] = [await add(teamId), await add(newId()), await add(null)];
  const ids = async (viewer: Viewer) => (await readInbox.list(viewer, { limit: 10 })).items.map(({ id }) => id);
  expect(await ids({ teamId })).toEqual([mine.id]);
  expect(await ids('operator')).toEqual([nobodys.id, theirs.id, mine.id]);
  expect((await readInbox.find({ teamId }, mine.id))?.id).toBe(mine.id);
  expect(await readInbox.find({ teamId }, theirs.id)).toBeUndefined();
});

it('the pieces of a message make up its bytes', async () => {
  const message = await add(teamId);
  expect(Buffer.from(await readInbox.raw(message)).toString()).toBe('Subject: Hi\r\n\r\nHello');
  let length = 0;
  for await (const piece of readInbox.pieces(message)) length += piece.length;
  expect(length).toBe(message.size);
});

it('signatures are verified when somebody looks, charged to whoever does', async () => {
  const message = await add(teamId, 'raw');
  expect(verified).toEqual([]);
  expect(await readInbox.verdict(await readInbox.raw(message), teamId)).toBe('pass');
  expect(verified).toEqual([['raw', teamId]]);
});
