import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Diagnosis, DiagnosisReport, Installation, InstallationState } from './ports/installation.port.js';

const freshForMs = 1_000;

/** The state of the installation. All who look at it share one reading. */
@Injectable()
export class ReadInstallation {
  private reading: Promise<InstallationState> | undefined;
  private readAt = -Infinity;

  constructor(private readonly installation: Installation) {}

  state(): Promise<InstallationState> {
    if (this.reading !== undefined && performance.now() - this.readAt < freshForMs) return this.reading;
    this.readAt = performance.now();
    const reading = this.installation.read();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }
}

const diagnosisFreshForMs = 60_000;
/** Minimum interval between two diagnoses. */
const minIntervalMs = 5_000;

export interface DatedDiagnosis extends DiagnosisReport {
  readonly at: Date;
}

/** The doctor's findings. All who look at them within a minute share one diagnosis. */
@Injectable()
export class ReadDiagnosis {
  private last: DatedDiagnosis | undefined;
  private running: Promise<DatedDiagnosis> | undefined;

  constructor(
    private readonly diagnosis: Diagnosis,
    private readonly clock: Clock,
  ) {}

  findings(isFresh: boolean): Promise<DatedDiagnosis> {
    const age = this.last === undefined ? Infinity : this.clock.now().getTime() - this.last.at.getTime();
    if (this.last !== undefined && age < (isFresh ? minIntervalMs : diagnosisFreshForMs))
      return Promise.resolve(this.last);
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  private async run(): Promise<DatedDiagnosis> {
    const report = await this.diagnosis.run();
    return (this.last = { ...report, at: this.clock.now() });
  }
}
