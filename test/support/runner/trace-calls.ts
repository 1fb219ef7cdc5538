import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Loaded into a program before its own code: each SIGUSR2 writes the project's files of which a function was called
 * since the previous one to the file that TRACE_CALLS names, one per line. Calls come from V8's exact counts, so
 * nothing is missed.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error !== null) throw error;
    const called = taken.result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(isCalled))
      .map(({ url }) => relative('dist', fileURLToPath(url)).replace(/\.js$/, '.ts'))
      .filter((file) => /^(?:libs|apps)\//.test(file));
    writeFileSync(process.env.TRACE_CALLS as string, `${[...new Set(called)].sort().join('\n')}\n.\n`);
  });
});

/** The function without a name that begins at 0 is the module itself. */
function isCalled({
  functionName,
  ranges,
}: {
  functionName: string;
  ranges: { startOffset: number; count: number }[];
}): boolean {
  return (ranges[0]?.count ?? 0) > 0 && !(functionName === '' && ranges[0]?.startOffset === 0);
}
