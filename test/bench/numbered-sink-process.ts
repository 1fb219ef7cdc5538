import { SmtpSink } from '../support/servers/smtp-sink.js';

const tellEveryMs = 20;
/** The header is at the beginning, behind the signatures and what servers add. */
const headerBytes = 4_000;

/** A receiving server that tells the parent the number of each email that it has acknowledged, read from its subject. */
const sink = await SmtpSink.listen({ keep: true });
const tell = (): void => {
  const numbers = sink.messages.splice(0).map(({ content }) => numberOf(content));
  process.send?.({ port: sink.port, count: sink.count, numbers });
};
tell();
setInterval(tell, tellEveryMs);
process.on('disconnect', () => process.exit(0));

function numberOf(content: Buffer): number {
  const [, no] = /^Subject: Receipt (\d{1,16})\r$/m.exec(content.toString('latin1', 0, headerBytes)) ?? [];
  if (no === undefined) throw new Error('An email without its number arrived');
  return Number(no);
}
