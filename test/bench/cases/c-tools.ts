import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchCase, BenchRig, BenchSettings, Measurement, SkippedCase } from '../bench-case.js';
import { EmailSize, singleSends } from '../load/load-case.js';
import { cpuSecondsOf } from '../process-cpu.js';
import { benchApiKey, startServer } from '../server-process.js';
import type { Receiver } from '../sink.js';
import { SmtpSinkProgram } from '../smtp-sink-program.js';
import { openPostfix } from './postfix.js';

const run = promisify(execFile);

const tools = [
  { path: '/usr/bin/ab', from: 'apache2-utils' },
  { path: '/usr/sbin/smtp-source', from: 'postfix' },
  { path: '/usr/sbin/smtp-sink', from: 'postfix' },
];

interface Size {
  readonly size: EmailSize;
  /** Size of the message that `smtp-source` makes. */
  readonly bytes: number;
  readonly share: number;
  /** Postfix sends this share of the messages that Postrider sends, so that both take about the same time. */
  readonly postfixShare: number;
}

/**
 * Measures this program and Postfix with OpenDKIM, one after the other, with the same load generators and receiving server,
 * written in C: `ab` or `smtp-source`, and `smtp-sink`. Their cost is small and the same for both.
 */
function cToolsCase(name: string, { size, bytes, share, postfixShare }: Size): BenchCase {
  return {
    name,
    open: async (given) => {
      const missing = tools.find(({ path }) => !existsSync(path));
      if (missing !== undefined)
        throw new SkippedCase(`${missing.path} is not installed (Debian: package ${missing.from})`);
      const settings = { ...given, messages: Math.ceil(given.messages * share) };
      const postfixSettings = { ...given, messages: Math.ceil(settings.messages * postfixShare) };
      return inTurns([
        async () => openPostrider(size, settings, await SmtpSinkProgram.start()),
        async () =>
          openPostfix(`Postfix + OpenDKIM, ${size}, C tools`, bytes, postfixSettings, await SmtpSinkProgram.start()),
      ]);
    },
  };
}

/** Each program is started only for its turn, so that an idle one does not use the processors. */
function inTurns(openings: readonly (() => Promise<BenchRig>)[]): BenchRig {
  return {
    measure: async () => {
      const rows: Measurement[] = [];
      for (const open of openings) {
        const rig = await open();
        try {
          rows.push(...(await rig.measure()));
        } finally {
          await rig.close();
        }
      }
      return rows;
    },
    close: () => Promise.resolve(),
  };
}

async function openPostrider(size: EmailSize, settings: BenchSettings, sink: Receiver): Promise<BenchRig> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-bench-ab-'));
  const body = join(directory, 'body.json');
  await writeFile(body, singleSends(size).body(1));
  const server = await startServer({
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });
  const close = async (): Promise<void> => {
    await server.stop();
    await sink.stop();
    await rm(directory, { recursive: true, force: true });
  };
  const sendAndWait = async (messages: number): Promise<{ sent: number; delivered: number }> => {
    const before = sink.received;
    const started = performance.now();
    await apacheBench(server.port, body, messages, settings.connections);
    const sent = (performance.now() - started) / 1_000;
    await sink.waitFor(before + messages);
    return { sent, delivered: (performance.now() - started) / 1_000 };
  };
  await sendAndWait(Math.ceil(settings.messages / 4));
  const label = `single sends of ${size}, C tools`;
  return {
    measure: async () => {
      const { messages } = settings;
      const cpu = cpuSecondsOf(server.pid);
      const { sent, delivered } = await sendAndWait(messages);
      const cpuMs = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / messages;
      return [
        { name: `${label}, accepted to delivered`, value: messages / delivered, unit: 'emails/s', cpuMs },
        { name: `${label}, accepted while delivering`, value: messages / sent, unit: 'emails/s' },
      ];
    },
    close,
  };
}

async function apacheBench(port: number, body: string, requests: number, connections: number): Promise<void> {
  const { stdout } = await run('/usr/bin/ab', [
    ...['-q', '-k', '-n', String(requests), '-c', String(Math.min(connections, requests))],
    ...['-p', body, '-T', 'application/json', '-H', `Authorization: Bearer ${benchApiKey}`],
    `http://127.0.0.1:${port}/emails`,
  ]);
  if (/Non-2xx responses/.test(stdout)) throw new Error(`Requests were refused:\n${stdout}`);
}

export const cToolsCases: readonly BenchCase[] = [
  cToolsCase('ctools', { size: '4 KB', bytes: 4_096, share: 1, postfixShare: 0.4 }),
  cToolsCase('ctools-100k', { size: '100 KB', bytes: 102_400, share: 0.2, postfixShare: 0.5 }),
];
