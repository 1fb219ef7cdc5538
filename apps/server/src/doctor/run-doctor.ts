import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, Level, red } from './check.js';

export interface CheckReport {
  readonly check: string;
  readonly findings: readonly DoctorFinding[];
}

export interface DoctorReport {
  /** The worst level of all findings. */
  readonly level: Level;
  readonly checks: readonly CheckReport[];
}

/** All checks of the program, in the order in which they are shown. */
export abstract class DoctorChecks {
  abstract readonly all: readonly DoctorCheck[];
}

/** Runs all checks concurrently. A check that throws becomes a red finding. */
@Injectable()
export class RunDoctor {
  constructor(private readonly checks: DoctorChecks) {}

  diagnose(): Promise<DoctorReport> {
    return this.run(this.checks.all);
  }

  /** Without the checks that are only run when somebody asks. */
  look(): Promise<DoctorReport> {
    return this.run(this.checks.all.filter(({ isWatched }) => isWatched));
  }

  private async run(checksToRun: readonly DoctorCheck[]): Promise<DoctorReport> {
    const all = await Promise.all(checksToRun.map(runOne));
    // What is not configured is not mentioned.
    const checks = all.filter(({ findings }) => findings.length > 0);
    const levels = checks.flatMap(({ findings }) => findings.map(({ level }) => level));
    const worst = (['red', 'yellow'] as const).find((level) => levels.includes(level));
    return { level: worst ?? 'green', checks };
  }
}

async function runOne(check: DoctorCheck): Promise<CheckReport> {
  try {
    return { check: check.name, findings: await check.run() };
  } catch (error) {
    const text = `could not be checked: ${(error as Error).message}`;
    return {
      check: check.name,
      findings: [red(text, 'Make sure that the servers that the check needs are running and can be reached.')],
    };
  }
}

const marks: Record<Level, string> = { green: 'ok  ', yellow: 'warn', red: 'FAIL' };

/** The report for a terminal. */
export function formatReport({ level, checks }: DoctorReport): string {
  const lines = checks.flatMap(({ check, findings }) =>
    findings.flatMap((finding) => [
      `${marks[finding.level]}  ${check}: ${[finding.subject, finding.text].filter((part) => part !== undefined).join(' ')}`,
      ...(finding.fix === undefined ? [] : [`      ${finding.fix}`]),
    ]),
  );
  const verdicts: Record<Level, string> = {
    green: 'Everything is in order.',
    yellow: 'Mail is delivered, but some findings need attention.',
    red: 'Fix the failures above: until then mail is not delivered reliably.',
  };
  return [...lines, '', verdicts[level]].join('\n');
}
