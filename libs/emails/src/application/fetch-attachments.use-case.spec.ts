import { expect, it } from '@jest/globals';
import { InMemorySending } from '../../../../test/support/fakes/in-memory-sending.js';
import { AttachmentUnavailableError } from './ports/email-contents.port.js';
import { FetchAttachments } from './fetch-attachments.use-case.js';
import { LinkedAttachments } from './linked-attachments.js';

const sending = new InMemorySending();
const fetchAttachments = new FetchAttachments(new LinkedAttachments(sending.sources));
const content = Buffer.from('Hello');

it('attachments that are linked get the bytes of their URL, and its content type', async () => {
  sending.sources.byUrl.set('https://files.test/a.txt', { content, contentType: 'text/plain; charset=utf-8' });
  const given = { filename: 'b.bin', contentType: 'application/octet-stream', content: Buffer.from('Bytes') };
  const linked = { filename: 'a.txt', path: 'https://files.test/a.txt' };
  const attachments = await fetchAttachments.during(sending.teamId, [given, linked], async (all) => all);
  expect(attachments).toEqual([given, { filename: 'a.txt', contentType: 'text/plain', content }]);
});

it('refuses what an email may not have, and what cannot be fetched', async () => {
  const during = (attachment: object): Promise<unknown> =>
    fetchAttachments.during(sending.teamId, [attachment as never], async () => undefined);
  await expect(during({ filename: 'a.exe', contentType: 'text/plain', content })).rejects.toThrow('.exe');
  sending.sources.byUrl.set('https://files.test/gone?key=1', new AttachmentUnavailableError('it is gone'));
  await expect(during({ filename: 'a', path: 'https://files.test/gone?key=1' })).rejects.toThrow(
    'The attachment at https://files.test/gone was not fetched: it is gone.',
  );
});
