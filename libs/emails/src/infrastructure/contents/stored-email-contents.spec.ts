import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { ReadBudget } from '#http/server';
import { ParserThreads } from '#platform/parsing';
import { Email } from '../../domain/email.js';
import { InMemoryMessageStore } from '../storage/in-memory-message-store.js';
import { encodeBody } from '../../application/stored-content.js';
import { StoredEmailContents } from './stored-email-contents.js';

const store = new InMemoryMessageStore();
const contents = new StoredEmailContents(store, new ParserThreads(), new ReadBudget());
const attachment = { id: newId(), filename: 'a.bin', contentType: 'application/pdf', contentId: null, size: 1_000_000 };

const email = (size: number, attachments: unknown[] = []): Email =>
  ({
    id: newId(),
    teamId: newId(),
    size,
    attachments,
    actor: { kind: 'api_key', id: newId() },
    mergeValues: null,
  }) as unknown as Email;

it.each([
  ['small', 100],
  ['large', 1_000_000],
])('a %s email whose content was removed has no body', async (_, size) => {
  expect(await contents.bodyOf(email(size), 'team')).toMatchObject({ html: null, text: null });
});

it('only its recipient reads mail of the service itself, whoever asks', async () => {
  const stored = email(100);
  await store.put([{ id: stored.id, bytes: encodeBody({ html: '<a href="https://x.test/reset">', text: 'reset' }) }]);
  expect(await contents.bodyOf(stored, 'team')).toMatchObject({ text: 'reset' });
  const ofService: Email = { ...stored, actor: { kind: 'service' } };
  expect(await contents.bodyOf(ofService, 'team')).toMatchObject({ html: null, text: null });
});

it('an attachment whose content was removed is not found', async () => {
  await expect(contents.attachment(email(100, [attachment]), attachment.id, 'team')).rejects.toThrow(
    'Attachment not found',
  );
});

it('an attachment is read in pieces, also an empty one', async () => {
  const empty = { ...attachment, id: newId(), size: 0 };
  await store.put([{ id: attachment.id, bytes: Buffer.from('content') }]);
  const given = async (id: string): Promise<string> => {
    const found = (await contents.attachment(email(100, [attachment, empty]), id, 'team')) as {
      content: AsyncIterable<Uint8Array>;
      release(): void;
    };
    const pieces: Uint8Array[] = [];
    for await (const piece of found.content) pieces.push(piece);
    found.release();
    return Buffer.concat(pieces).toString();
  };

  expect(await given(attachment.id)).toBe('content');
  await store.put([{ id: empty.id, bytes: Buffer.from('') }]);
  expect(await given(empty.id)).toBe('');
});
