import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import type { OutgoingEmail, OutgoingEmails } from '#emails';
import { UndeliverableError } from '../domain/attempt.js';
import { MessageRenderer, RenderedContent } from './ports/message-renderer.port.js';
import { ReadSource } from './read-source.query.js';

const id = newId();
const byKey = { id, actor: { kind: 'api_key', id: newId() } } as const;
const stored = { load: async (ids: readonly string[]) => new Map(ids.map((one) => [one, {} as OutgoingEmail])) };

function readSource(render: () => Promise<RenderedContent>, emails: object = stored): ReadSource {
  return new ReadSource(emails as OutgoingEmails, { render } as unknown as MessageRenderer);
}

it('is what the renderer makes, for the recipient who is asked for', async () => {
  const same = Buffer.from('Subject: same');
  expect(await readSource(async () => same).read(byKey, 0)).toBe(same);
  const personal = readSource(async () => async (no) => Buffer.from(`Subject: ${no}`));
  expect(String(await personal.read(byKey, 2))).toBe('Subject: 2');
});

it('there is none of mail of the service, of content that is gone, and of a domain that was deleted', async () => {
  const rendered = async (): Promise<RenderedContent> => Buffer.from('x');
  const ofService = { id, actor: { kind: 'service', id: null } } as never;
  expect(await readSource(rendered).read(ofService, 0)).toBeUndefined();
  expect(await readSource(rendered, { load: async () => new Map() }).read(byKey, 0)).toBeUndefined();
  const refused = readSource(() => Promise.reject(new UndeliverableError('domain_deleted', 'The domain was deleted')));
  expect(await refused.read(byKey, 0)).toBeUndefined();
  const broken = readSource(() => Promise.reject(new Error('a bug')));
  await expect(broken.read(byKey, 0)).rejects.toThrow('a bug');
});
