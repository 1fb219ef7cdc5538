import { generateKeyPairSync, sign } from 'node:crypto';
import { cpus, totalmem } from 'node:os';
import { CountingProcess } from './counting-process.js';
import { percentile, runLoad } from './http-load.js';
import { LoadCase, loadCases, singleSends } from './load-case.js';
import { cpuSecondsOf } from './process-cpu.js';
import { runSmtpLoad } from './smtp-load.js';
import { webhookRate } from './webhook-load.js';
import { smtpSourceRate } from './smtp-source.js';
import { benchApiKey, ServerProcess, startServer } from './server-process.js';

interface Row {
  readonly case: string;
  readonly perSecond: number;
  readonly unit: string;
  /** CPU of the server and its PostgreSQL, in ms per message. */
  readonly cpuMsPerMessage: number;
  /** Of one request. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

const runs = Number(process.env.BENCH_RUNS ?? 3);
const messages = Number(process.env.BENCH_MESSAGES ?? 10_000);
const connections = 64;

async function sendAndDeliver(
  server: ServerProcess,
  sink: CountingProcess,
  loadCase: LoadCase,
  emails: number,
): Promise<[Row, Row]> {
  const requests = Math.ceil(emails / loadCase.emailsPerRequest);
  const count = requests * loadCase.emailsPerRequest;
  const before = sink.received;
  const cpu = cpuSecondsOf(server.pid);
  const started = performance.now();
  const load = await runLoad({
    port: server.port,
    apiKey: benchApiKey,
    path: loadCase.path,
    connections: Math.min(connections, requests),
    requests,
    body: loadCase.body,
    headers: loadCase.headers,
  });
  if (load.refused > 0) throw new Error(`${load.refused} requests were refused`);
  await sink.waitFor(before + count);
  const seconds = (performance.now() - started) / 1_000;
  const cpuMsPerMessage = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / count;
  return [
    {
      case: `accept over HTTP, ${loadCase.name}, while delivering`,
      perSecond: count / load.seconds,
      unit: 'emails/s',
      cpuMsPerMessage,
      p50Ms: percentile(load.latencies, 0.5),
      p99Ms: percentile(load.latencies, 0.99),
    },
    { case: `${loadCase.name}, accepted to delivered`, perSecond: count / seconds, unit: 'emails/s', cpuMsPerMessage },
  ];
}

/** The same mail as over HTTP, as a client would put it into MIME. */
function mimeOf(index: number): string {
  const line = `Order ${index}: thank you for buying from us. Your parcel leaves the warehouse today.\r\n`;
  return (
    `From: Bench <bench@sandbox.postrider.test>\r\nTo: user${index}@sink.test\r\nSubject: Receipt ${index}\r\n` +
    'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n' +
    `--b\r\nContent-Type: text/plain\r\n\r\n${line.repeat(24)}\r\n` +
    `--b\r\nContent-Type: text/html\r\n\r\n<p>${line.repeat(24)}</p>\r\n--b--\r\n`
  );
}

async function submitAndDeliver(server: ServerProcess, sink: CountingProcess, count: number): Promise<[Row, Row]> {
  const before = sink.received;
  const cpu = cpuSecondsOf(server.pid);
  const started = performance.now();
  const load = await runSmtpLoad({
    port: server.smtpPort,
    apiKey: benchApiKey,
    connections,
    messages: count,
    content: mimeOf,
    recipient: (index) => `user${index}@sink.test`,
  });
  if (load.refused > 0) throw new Error(`${load.refused} messages were refused`);
  await sink.waitFor(before + count);
  const seconds = (performance.now() - started) / 1_000;
  const cpuMsPerMessage = ((cpuSecondsOf(server.pid) - cpu) * 1_000) / count;
  return [
    {
      case: 'accept over SMTP with TLS, while delivering',
      perSecond: count / load.seconds,
      unit: 'emails/s',
      cpuMsPerMessage,
      p50Ms: percentile(load.latencies, 0.5),
      p99Ms: percentile(load.latencies, 0.99),
    },
    { case: 'SMTP, accepted to delivered', perSecond: count / seconds, unit: 'emails/s', cpuMsPerMessage },
  ];
}

async function callWebhooks(server: ServerProcess, sink: CountingProcess, count: number): Promise<Row> {
  const { perSecond, cpuMsPerCall } = await webhookRate(server, sink, count);
  return { case: 'signed webhook calls', perSecond, unit: 'calls/s', cpuMsPerMessage: cpuMsPerCall };
}

/** What Postfix's load generator reaches at our sink, for comparison. */
async function smtpSourceRows(sink: CountingProcess): Promise<Row[]> {
  const perSecond = await smtpSourceRate(sink.port, messages, connections);
  if (perSecond === undefined) return [];
  return [{ case: 'smtp-source straight to the sink', perSecond, unit: 'emails/s', cpuMsPerMessage: NaN }];
}

function median(rows: readonly Row[]): Row {
  const sorted = [...rows].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as Row;
}

function report(rows: readonly Row[]): void {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(
    `\n${machine}; median of ${runs} runs of ${messages} emails of 4 KB, DKIM RSA-2048, synchronous_commit on\n`,
  );
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.case,
        {
          [row.unit]: Math.round(row.perSecond),
          'CPU ms/message': row.cpuMsPerMessage.toFixed(2),
          'p50 ms': row.p50Ms?.toFixed(1) ?? '',
          'p99 ms': row.p99Ms?.toFixed(1) ?? '',
        },
      ]),
    ),
  );
  const rsa2048SignatureMs = signatureMs();
  console.log(
    `One RSA-2048 signature: ${rsa2048SignatureMs.toFixed(2)} ms of CPU on this machine, part of the figures above.`,
  );
  console.log(JSON.stringify({ machine, rsa2048SignatureMs, runs, messages, rows }));
}

/** What one DKIM signature costs on this machine: the largest part of a message, and no program can make it cheaper. */
function signatureMs(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = Buffer.alloc(600, 'x');
  const count = 300;
  const started = process.cpuUsage();
  for (let i = 0; i < count; i++) sign('sha256', data, privateKey);
  return process.cpuUsage(started).user / 1_000 / count;
}

async function main(): Promise<void> {
  const sink = await CountingProcess.start('sink-process');
  const server = await startServer({
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    ALLOW_PRIVATE_DESTINATIONS: 'true',
  });
  try {
    await sendAndDeliver(server, sink, singleSends, Math.min(messages, 3_000));
    const rows: Row[] = [];
    for (const loadCase of loadCases) {
      const results: [Row, Row][] = [];
      for (let run = 0; run < runs; run++) results.push(await sendAndDeliver(server, sink, loadCase, messages));
      rows.push(median(results.map(([accept]) => accept)), median(results.map(([, delivered]) => delivered)));
    }
    const submissions: [Row, Row][] = [];
    for (let run = 0; run < runs; run++) submissions.push(await submitAndDeliver(server, sink, messages));
    rows.push(median(submissions.map(([accept]) => accept)), median(submissions.map(([, delivered]) => delivered)));
    const calls: Row[] = [];
    for (let run = 0; run < runs; run++) calls.push(await callWebhooks(server, sink, messages));
    rows.push(median(calls));
    report([...rows, ...(await smtpSourceRows(sink))]);
  } finally {
    await server.stop();
    sink.stop();
  }
}

await main();
