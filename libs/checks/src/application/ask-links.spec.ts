import { expect, it } from '@jest/globals';
import type { LinkReply, MessageFacts } from '../domain/message-facts.js';
import { AskLinks } from './ask-links.js';

/** A probe that answers when it is told to. */
class HeldProbe {
  readonly waiting: { readonly url: string; readonly answer: (reply: LinkReply) => void }[] = [];

  ask(_: string, url: string): Promise<LinkReply> {
    return new Promise((answer) => this.waiting.push({ url, answer }));
  }

  get urls(): string[] {
    return this.waiting.map(({ url }) => url);
  }

  answerAll(): void {
    this.waiting.splice(0).forEach(({ answer }) => answer({ status: 200 }));
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function asking(urls: readonly string[]): { links: AskLinks; probe: HeldProbe } {
  const probe = new HeldProbe();
  const html = { links: urls.map((url) => ({ url, text: '' })) };
  const facts = { fields: [], html } as unknown as MessageFacts;
  return { probe, links: new AskLinks({ read: async () => facts }, probe) };
}

const bytes = Buffer.from('x');

it('asks a few hosts at a time, each for one link, and keeps the order of the links', async () => {
  const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.test/`);
  const { links, probe } = asking(['https://a.test/1', ...hosts]);
  const asked = links.of('t', bytes, undefined);
  await settled();
  expect(probe.urls).toEqual(['https://a.test/1', 'https://b.test/', 'https://c.test/', 'https://d.test/']);
  while (probe.waiting.length > 0) {
    probe.answerAll();
    await settled();
  }
  const result = await asked;
  expect(result.asked.map(({ url }) => url)).toEqual(['https://a.test/1', ...hosts]);
  expect(result.left).toBe(0);
});

it('has one message of a team under way at a time, and holds up no other team', async () => {
  const { links, probe } = asking(['https://a.test/']);
  const all = ['t', 't', 'u'].map((team) => links.of(team, bytes, undefined));
  await settled();
  expect(probe.waiting).toHaveLength(2);
  probe.answerAll();
  await settled();
  expect(probe.waiting).toHaveLength(1);
  probe.answerAll();
  expect((await Promise.all(all)).map(({ asked }) => asked.length)).toEqual([1, 1, 1]);
});

it('asks for 50 links, and counts the others', async () => {
  const { links, probe } = asking(Array.from({ length: 53 }, (_, no) => `https://h${no}.test/`));
  const asked = links.of('t', bytes, undefined);
  for (let round = 0; round < 20; round++) {
    await settled();
    probe.answerAll();
  }
  expect(await asked).toMatchObject({ asked: { length: 50 }, left: 3 });
});
