import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BenchCase, BenchRig, BenchSettings } from '../bench-case.js';
import { startPostfixOpenDkim } from '../postfix-opendkim.js';
import { Receiver, Sink } from '../sink.js';

const run = promisify(execFile);

/** Postfix signs with OpenDKIM and delivers to `sink`, with its own load generator. Closing it ends the sink. */
export async function openPostfix(
  label: string,
  bytes: number,
  { messages, connections }: BenchSettings,
  sink: Receiver,
): Promise<BenchRig> {
  const postfix = await startPostfixOpenDkim(sink.port).catch(async (error: unknown) => {
    await sink.stop();
    throw error;
  });
  const send = (count: number): Promise<unknown> =>
    run('/usr/sbin/smtp-source', [
      ...['-d', '-s', String(connections), '-m', String(count), '-l', String(bytes)],
      ...['-f', 'bench@sandbox.postrider.test', '-t', 'user@sink.test', `127.0.0.1:${postfix.port}`],
    ]);
  const sendAndWait = async (emails: number): Promise<{ sent: number; delivered: number }> => {
    const before = sink.received;
    const started = performance.now();
    await send(emails);
    const sent = (performance.now() - started) / 1_000;
    await sink.waitFor(before + emails);
    return { sent, delivered: (performance.now() - started) / 1_000 };
  };
  await sendAndWait(Math.ceil(messages / 4));
  return {
    measure: async () => {
      const cpu = postfix.cpuSeconds();
      const { sent, delivered } = await sendAndWait(messages);
      const cpuMs = ((postfix.cpuSeconds() - cpu) * 1_000) / messages;
      return [
        { name: `${label}, accepted to delivered`, value: messages / delivered, unit: 'emails/s', cpuMs },
        { name: `${label}, accepted while delivering`, value: messages / sent, unit: 'emails/s' },
      ];
    },
    close: async () => {
      await postfix.stop();
      await sink.stop();
    },
  };
}

/** The same sizes and receiving server as for Postrider. */
function postfixCase(name: string, size: string, bytes: number, share: number): BenchCase {
  return {
    name,
    open: async (given) => {
      const settings = { ...given, messages: Math.ceil(given.messages * share) };
      return openPostfix(`Postfix + OpenDKIM, ${size}`, bytes, settings, await Sink.start());
    },
  };
}

export const postfixCases: readonly BenchCase[] = [
  postfixCase('postfix', '4 KB', 4_096, 0.4),
  postfixCase('postfix-100k', '100 KB', 102_400, 0.1),
];
