import { resolve } from 'node:path';
import { sandboxDomain } from './bootstrap.js';
import type { BegunStart } from './database/begin-start.js';
import { failStart } from './fail-start.js';
import { Postrider, startPostrider } from './postrider.js';
import { watchEventLoop } from './watch-event-loop.js';

const print = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** Runs the program until it is told to stop. */
export async function runProgram(begun: BegunStart, isUnderNpx: boolean): Promise<void> {
  const postrider = await startPostrider({}, begun);
  stopOnSignals(postrider, isUnderNpx);
  await watchEventLoop(postrider);
  greet(postrider, begun.config.values.dataDir);
}

function greet({ url, smtp, firstStart, ownerUrl, inboxUrl }: Postrider, dataDir: string): void {
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
  print(...smtpLines(smtp), `  Data            ${resolve(dataDir)}`);
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

/** How often the program looks whether the shell of npx still runs. */
const lookMs = 500;

/**
 * The first signal stops the program in order; a later one ends the process at once. A signal to npx ends npx and the shell
 * that it puts before the program, which gets none: it then stops when that shell is gone.
 */
function stopOnSignals(postrider: Postrider, isUnderNpx: boolean): void {
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
      (error: unknown) => failStart(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  if (!isUnderNpx) return;
  const shell = process.ppid;
  // oxlint-disable-next-line no-restricted-globals -- it belongs to the process, and not to the app whose `Timers` stop
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    stop();
  }, lookMs).unref();
}
