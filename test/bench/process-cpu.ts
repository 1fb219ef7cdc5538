import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** CPU seconds that a process and all its descendants have used, from /proc (Linux; elsewhere NaN). */
export function cpuSecondsOf(rootPid: number): number {
  try {
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(name) ?? []);
    const family = new Set([rootPid]);
    for (let grown = true; grown;) {
      const before = family.size;
      for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
      grown = family.size > before;
    }
    // Finished children are counted by the parent that waited for them (cutime, cstime).
    return processes.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
  } catch {
    return NaN;
  }
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

function statOf(pid: string): { pid: number; parent: number; ticks: number; ownTicks: number } | undefined {
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
