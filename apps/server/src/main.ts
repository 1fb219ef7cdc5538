import { setFlagsFromString } from 'node:v8';
import { ConfigError } from '#platform/config';
import { DataDirInUseError, EmbeddedPostgresError } from '#postgres/embedded';
import { sandboxDomain } from './bootstrap.js';
import { DatabaseEncodingError, NewerSchemaError } from './database/migrate.js';
import { Postrider, startPostrider } from './postrider.js';
import { MissingSecretKeyError } from './secret-key.js';
import { watchEventLoop } from './watch-event-loop.js';
import { runWorkerProcess } from './workers/run-worker-process.js';
import { workerArgument } from './workers/worker-messages.js';

/**
 * Lets the heap grow by what is in use before it is collected, and not by three times that. Under load each delivery
 * leaves some KB behind that only a full collection finds: beside 70 MB in use, 300 MB of them came together while a
 * broadcast was sent. Half of what is in use would save 30 MB more, but costs batches 6% of their CPU. Set here and not
 * on the command line, since a version of Node that lacks it must start all the same.
 */
setFlagsFromString('--heap-growing-percent=100');

const print = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

async function main(): Promise<void> {
  if (process.argv[2] === workerArgument) return runWorkerProcess();
  const postrider = await startPostrider();
  stopOnSignals(postrider);
  await watchEventLoop(postrider);
  greet(postrider);
}

function greet({ url, smtp, firstStart, ownerUrl, inboxUrl }: Postrider): void {
  print('', `  Postrider is ready at ${url}`);
  if (firstStart !== undefined) {
    print(
      '',
      `  API key         ${firstStart.apiKey}`,
      '                  Keep it: it is shown only this once.',
      `  Sending domain  ${sandboxDomain}`,
    );
  }
  if (ownerUrl !== undefined) {
    print(`  Dashboard       ${ownerUrl}`, '                  Opens once: it makes the owner.');
  }
  if (inboxUrl !== undefined) print(`  Inbox           ${inboxUrl}`);
  print(...smtpLines(smtp));
  print('', '  Stop with Ctrl-C.', '');
}

function smtpLines({ listening, unavailable }: Postrider['smtp']): string[] {
  const shown = ({ host, port, implicitTls }: (typeof listening)[number]): string =>
    `${host}:${port} ${implicitTls ? 'TLS' : 'STARTTLS'}`;
  return [
    ...(listening.length > 0 ? [`  SMTP            ${listening.map(shown).join(', ')}`] : []),
    ...unavailable.map(({ address, reason }) => `  SMTP not on     ${address.host}:${address.port} (${reason})`),
  ];
}

/** Under npm one stop sends two signals: to the process group, and once more by npm. Both arrive within this time. */
const sameStopMs = 1_000;

/** The first signal stops the program in order; a later one ends the process at once. */
function stopOnSignals(postrider: Postrider): void {
  let stoppingSince: number | undefined;
  const stop = (): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameStopMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    print('Stopping: finishing the work under way.');
    postrider.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

const forTheOperator = [
  DatabaseEncodingError,
  DataDirInUseError,
  EmbeddedPostgresError,
  MissingSecretKeyError,
  NewerSchemaError,
];

/** Errors that an operator can act on are printed as a sentence, all others with their stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (forTheOperator.some((kind) => error instanceof kind)) return (error as Error).message;
  if ((error as { code?: unknown }).code === 'EADDRINUSE') {
    return `${(error as Error).message}\nAnother program listens there: set HTTP_PORT to a free port.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// The reader of the output may have gone; the program must not end because of that.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

main().catch(fail);
