import { expect, it, jest } from '@jest/globals';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { newId } from '#kernel';
import { ClaimedRecipient } from '../domain/attempt.js';
import { ContentsInDelivery } from './contents-in-delivery.js';
import { MessageRenderer } from './ports/message-renderer.port.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Signing ends when the test says so. */
class SlowRenderer {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  async render({ email }: OutgoingEmail): Promise<() => Promise<Uint8Array>> {
    return async () => {
      this.begun.push(email.id);
      await new Promise<void>((resolve) => this.ends.push(resolve));
      return new Uint8Array();
    };
  }

  endOne(): void {
    this.ends.shift()?.();
  }
}

function rig(): { contents: ContentsInDelivery; renderer: SlowRenderer; queries: (readonly string[])[] } {
  const queries: (readonly string[])[] = [];
  const load: OutgoingEmails['load'] = async (ids) => {
    queries.push(ids);
    return new Map(ids.map((id) => [id, { email: { id } } as OutgoingEmail]));
  };
  const renderer = new SlowRenderer();
  const contents = new ContentsInDelivery({ load } as OutgoingEmails, renderer as unknown as MessageRenderer);
  return { contents, renderer, queries };
}

function recipient(emailId: string, isBulk: boolean): ClaimedRecipient {
  const ids = { teamId: newId(), domainId: newId() };
  return {
    emailId,
    ...ids,
    recipientNo: 0,
    address: 'a@b.test',
    isBulk,
    size: 1,
    attempt: 1,
    lease: 1,
    queuedAt: new Date(),
  };
}

it('a transactional message is signed at once, however many bulk messages came before', async () => {
  const { contents, renderer } = rig();
  for (let no = 0; no < 20; no++) void contents.of('lane', recipient(`bulk ${no}`, true)).use(0);
  await turn();
  await turn();
  void contents.of('lane', recipient('single', false)).use(0);
  await turn();
  await turn();
  expect(renderer.begun).toEqual(['bulk 0', 'bulk 1', 'single']);
  renderer.endOne();
  await turn();
  expect(renderer.begun.slice(3)).toEqual(['bulk 2']);
});

it('its content is not read together with that of bulk mail', async () => {
  const { contents, queries } = rig();
  void contents.of('lane', recipient('bulk', true)).use(0);
  void contents.of('lane', recipient('single', false)).use(0);
  await turn();
  await turn();
  expect(queries).toEqual([['bulk'], ['single']]);
});

it('content that is rendered before its turn is read with one query, signed once and not again', async () => {
  const { contents, renderer, queries } = rig();
  const ahead = ['a', 'b'].map((id) => contents.of('lane', recipient(id, false), true));
  await turn();
  expect(queries).toEqual([['a', 'b']]);
  expect(renderer.begun).toEqual(['a', 'b']);
  const uses = ahead.map((content) => content.use(0).content);
  renderer.endOne();
  renderer.endOne();
  expect(await Promise.all(uses)).toHaveLength(2);
  expect(queries).toHaveLength(1);
  expect(renderer.begun).toEqual(['a', 'b']);
});

it('only the copy of the recipient that was claimed is signed before its turn', async () => {
  const { contents, renderer } = rig();
  const content = contents.of('lane', recipient('a', false), true);
  await turn();
  renderer.endOne();
  const other = content.use(1).content;
  await turn();
  await turn();
  expect(renderer.begun).toEqual(['a', 'a']);
  renderer.endOne();
  expect(await other).toBeDefined();
});

it('bulk mail takes no more signers before its turn than in its turn', async () => {
  const { contents, renderer } = rig();
  for (let no = 0; no < 20; no++) contents.of('lane', recipient(`bulk ${no}`, true), true);
  await turn();
  await turn();
  expect(renderer.begun).toEqual(['bulk 0', 'bulk 1']);
});

it('the emails of one claim are rendered sixteen in a turn of the event loop', async () => {
  const { contents, renderer } = rig();
  for (let no = 0; no < 40; no++) contents.of('lane', recipient(`${no}`, false), true);
  await turn();
  expect(renderer.begun).toHaveLength(16);
  await turn();
  expect(renderer.begun).toHaveLength(32);
  await turn();
  expect(renderer.begun).toHaveLength(40);
});

it('content that waited too long for its turn is read and signed again, because the worker may be cut off', async () => {
  const { contents, renderer, queries } = rig();
  const content = contents.of('lane', recipient('a', false), true);
  await turn();
  const now = performance.now();
  const later = jest.spyOn(performance, 'now').mockReturnValue(now + 6_000);
  void content.use(0);
  await turn();
  await turn();
  later.mockRestore();
  expect(queries).toEqual([['a'], ['a']]);
  expect(renderer.begun).toEqual(['a', 'a']);
});

it('no more is read before its turn than its memory allows, until some of it is forgotten', async () => {
  const { contents, queries } = rig();
  const large = (id: string): ClaimedRecipient => ({ ...recipient(id, false), size: 100 * 1024 });
  const ahead = Array.from({ length: 200 }, (_, no) => contents.of('lane', large(`${no}`), true));
  await turn();
  expect(queries.flat()).toHaveLength(81);
  for (const content of ahead) content.forget();
  contents.of('lane', large('next'), true);
  await turn();
  expect(queries.flat()).toHaveLength(82);
});
