import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../runner/until.js';
import { ProgramProcess, startProgramProcess } from './program-process.js';

export interface TracedProgram extends ProgramProcess {
  /** The files of libs and of the program in which a function was called since the last call of this, sorted. */
  filesCalled(): Promise<string[]>;
}

/** The built program in a separate process, which counts its calls. */
export async function startTracedProgram(
  environment: Readonly<Record<string, string>>,
  directory: string,
): Promise<TracedProgram> {
  const file = join(directory, 'calls.txt');
  const preload = `--import=${new URL('../runner/trace-calls.js', import.meta.url).href}`;
  const program = await startProgramProcess({ ...environment, NODE_OPTIONS: preload, TRACE_CALLS: file });
  return {
    ...program,
    filesCalled: async () => {
      await rm(file, { force: true });
      program.child.kill('SIGUSR2');
      const text = await until(async () => {
        const written = await readFile(file, 'utf8').catch(() => '');
        return written.endsWith('\n.\n') ? written : undefined;
      });
      return text.split('\n').filter((line) => line.endsWith('.ts'));
    },
  };
}
