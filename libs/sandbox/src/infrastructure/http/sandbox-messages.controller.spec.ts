import { beforeEach, expect, it } from '@jest/globals';
import { ReadBudget } from '#http/server';
import { newId, NotFoundError, Page, PageRequest } from '#kernel';
import { InMemoryRows } from '../../../../../test/support/fakes/in-memory-rows.js';
import { ParserThreads } from '#platform/parsing';
import type { FastifyReply } from 'fastify';
import { SandboxInbox, SignatureVerifier } from '../../application/ports/inbox.port.js';
import { InboxMessage, ReceivedMessage, Viewer } from '../../domain/inbox-message.js';
import { SandboxMessagesController } from './sandbox-messages.controller.js';
import { ShownMessages } from './shown-messages.js';

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
const text = 'Subject: Hi\r\n\r\nHello';
/** A reply whose client is gone: what is held for it is released at once. */
const reply = { raw: { closed: true }, request: { raw: {} } } as unknown as FastifyReply;
let inbox: KeptMail;
let verified: [string, string][];
let messages: SandboxMessagesController;

beforeEach(() => {
  inbox = new KeptMail();
  verified = [];
  const verify = async (raw: Uint8Array, reader: string) => {
    verified.push([Buffer.from(raw).toString(), reader]);
    return 'pass' as const;
  };
  const shown = new ShownMessages(inbox, new ParserThreads(), new ReadBudget());
  messages = new SandboxMessagesController(inbox, { verify } satisfies SignatureVerifier, shown);
});

async function add(of: string | null): Promise<InboxMessage> {
  const raw = Buffer.from(text);
  const header = { from: 'a@acme.test', to: ['b@sink.test'], subject: 'Hi', receivedAt: new Date() };
  const message = { id: newId(), teamId: of, ...header, size: raw.length, raw };
  await inbox.add(message);
  return message;
}

it('shows a message whole, however it is cut, and verifies its signatures only then', async () => {
  const { id } = await add(teamId);
  expect((await messages.listSandboxMessages(teamId, {})).data).toMatchObject([{ id, subject: 'Hi' }]);
  expect(verified).toEqual([]);
  expect(await messages.getSandboxMessage(teamId, id, reply)).toMatchObject({
    id,
    raw: text,
    text: 'Hello',
    dkim: 'pass',
  });
  expect(verified).toEqual([[text, teamId]]);
});

it('a team sees its own mail alone', async () => {
  const [mine, theirs] = [await add(teamId), await add(newId()), await add(null)];
  expect((await messages.listSandboxMessages(teamId, {})).data.map(({ id }) => id)).toEqual([mine.id]);
  await expect(messages.getSandboxMessage(teamId, theirs.id, reply)).rejects.toThrow(NotFoundError);
});
