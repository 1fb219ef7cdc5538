import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Messages per second that Postfix's load generator gets rid of at a server that keeps nothing: what plain SMTP costs on
 * this machine without TLS, login, database and signature. Undefined, with the reason printed, where it is not installed.
 */
export async function smtpSourceRate(port: number, messages: number, connections: number): Promise<number | undefined> {
  const size = '4096';
  const started = performance.now();
  try {
    await run('smtp-source', [
      ...['-s', String(connections), '-m', String(messages), '-l', size],
      ...['-f', 'bench@sandbox.postrider.test', '-t', 'user@sink.test', `127.0.0.1:${port}`],
    ]);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'it is not installed (Debian: package postfix)' : String(error);
    console.log(`skipped smtp-source: ${reason}`);
    return undefined;
  }
  return messages / ((performance.now() - started) / 1_000);
}
