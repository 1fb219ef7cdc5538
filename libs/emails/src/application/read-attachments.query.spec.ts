import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { aRequest, InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { EmailContents } from './ports/email-contents.port.js';
import { ReadAttachments } from './read-attachments.query.js';

it('an attachment belongs to its own email and its own team', async () => {
  const sending = new InMemorySending();
  const contents = {
    attachmentsOf: async ({ attachments }) => attachments ?? [],
    attachment: async ({ attachments }, id) => {
      const attachment = attachments?.find((candidate) => candidate.id === id);
      return attachment && { attachment, content: Buffer.from('file'), release: () => undefined };
    },
  } as Partial<EmailContents> as EmailContents;
  const readAttachments = new ReadAttachments(sending.repository, contents);
  const attach = { attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('file') }] };
  const [one, other] = [
    await sending.acceptEmails.send(sending.principal, aRequest(attach)),
    await sending.acceptEmails.send(sending.principal, aRequest(attach)),
  ];
  const id = (await readAttachments.list(sending.teamId, one.id))[0]?.id ?? '';
  expect(await readAttachments.find(sending.teamId, one.id, id)).toMatchObject({ id, filename: 'a.txt' });
  await expect(readAttachments.find(sending.teamId, other.id, id)).rejects.toThrow('Attachment not found');
  await expect(readAttachments.find(newId(), one.id, id)).rejects.toThrow('Email not found');
  await expect(readAttachments.download(other.id, id, '192.0.2.1')).rejects.toThrow('Attachment not found');
});
