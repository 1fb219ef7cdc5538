import { hostname } from 'node:os';
import { Clock, Notices } from '#kernel';
import { Config } from '#platform/config';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { CheckReport, formatReport, RunDoctor } from './run-doctor.js';

const intervalMs = 15 * 60_000;

/**
 * Runs the checks of the doctor now and then, and tells the operator what was red twice running. A machine tells of the
 * same checks once a day at most, whatever their findings are, and when none of them is red any more.
 */
@Injectable()
export class DoctorRounds implements OnApplicationBootstrap {
  /** Checks that were red in the last round. */
  private red: ReadonlySet<string> = new Set();
  /** Those of which the operator was told. */
  private told: readonly string[] = [];

  constructor(
    private readonly doctor: RunDoctor,
    private readonly notices: Notices,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    const { roles, noticesTo, noticesUrls } = this.config.values;
    const isHeard = noticesTo !== undefined || noticesUrls.length > 0;
    if (isHeard && roles.includes('worker')) this.timers.every(intervalMs, 'running the checks', () => this.round());
  }

  async round(): Promise<void> {
    const { checks } = await this.doctor.look();
    const red = checks.filter(({ findings }) => findings.some(({ level }) => level === 'red'));
    const confirmed = red.filter(({ check }) => this.red.has(check));
    this.red = new Set(red.map(({ check }) => check));
    if (confirmed.length > 0) await this.tell(confirmed);
    else if (red.length === 0 && this.told.length > 0) await this.tellEnd();
  }

  private async tell(red: readonly CheckReport[]): Promise<void> {
    const names = red.map(({ check }) => check);
    const findings = red.map(({ check, findings: all }) => ({
      check,
      findings: all.filter(({ level }) => level === 'red'),
    }));
    await this.notices.announce({
      key: this.keyOf('red', names),
      subject: `Postrider on ${hostname()} needs attention: ${names.join(', ')}`,
      text: `${formatReport({ level: 'red', checks: findings })}\n\nThe command "postrider doctor" runs all checks again.`,
    });
    this.told = names;
  }

  private async tellEnd(): Promise<void> {
    const names = this.told;
    await this.notices.announce({
      key: this.keyOf('ended', names),
      subject: `Postrider on ${hostname()}: ${names.join(', ')} in order again`,
      text: 'None of the checks fails any more.',
    });
    this.told = [];
  }

  private keyOf(what: string, names: readonly string[]): string {
    return `doctor:${hostname()}:${this.clock.now().toISOString().slice(0, 10)}:${what}:${names.join(',')}`;
  }
}
