import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** CPU seconds that a process and all its descendants have used, from /proc (Linux; elsewhere NaN). */
export function cpuSecondsOf(rootPid: number): number {
  try {
    // Finished children are counted by the parent that waited for them (cutime, cstime).
    return familyOf(rootPid).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
  } catch {
    return NaN;
  }
}

/** Ends a process and all its descendants at the same moment, so that none of them sees another one end. */
export function killFamily(rootPid: number): void {
  process.kill(rootPid, 'SIGSTOP');
  const family = familyOf(rootPid);
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const { pid } of family) signalIfThere(pid, signal);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process and all its descendants. */
function familyOf(rootPid: number): ProcessStat[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? []);
  const family = new Set([rootPid]);
  for (let grown = true; grown;) {
    const before = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
    grown = family.size > before;
  }
  return processes.filter(({ pid }) => family.has(pid));
}

/** CPU seconds that a process itself has used, its descendants not counted, from /proc (Linux; elsewhere NaN). */
export function ownCpuSecondsOf(pid: number): number {
  return (statOf(String(pid))?.ownTicks ?? NaN) / ticksPerSecond;
}

/** The most memory that a process ever had, its descendants not counted, from /proc (Linux; elsewhere NaN). */
export function peakMegabytesOf(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return NaN;
  }
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly ownTicks: number;
}

function statOf(pid: string): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    const ownTicks = user + system;
    return { pid: Number(pid), parent: fields[1] ?? 0, ticks: ownTicks + childUser + childSystem, ownTicks };
  } catch {
    return undefined;
  }
}
