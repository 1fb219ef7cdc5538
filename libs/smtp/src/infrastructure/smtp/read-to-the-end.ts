import type { SMTPServerDataStream } from 'smtp-server';
import { SmtpRefusal } from './smtp-refusal.js';

/** A reply before the final dot would not be read, or be taken for another. Who sends without end is cut off. */
export async function readToTheEnd(stream: SMTPServerDataStream, mostBytes: number): Promise<void> {
  if (stream.destroyed || stream.readableEnded) return;
  await new Promise<void>((resolve) => {
    stream.on('data', () => {
      if (stream.byteLength > mostBytes) stream.destroy(new SmtpRefusal(421, '5.3.4', 'The message has no end'));
    });
    stream.once('close', resolve);
    stream.once('end', resolve);
    stream.resume();
  });
}
