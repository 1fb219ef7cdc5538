import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Diagnosis, DiagnosisReport } from './ports/installation.port.js';

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
    if (this.last !== undefined && age < (isFresh ? minIntervalMs : diagnosisFreshForMs)) return Promise.resolve(this.last);
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  private async run(): Promise<DatedDiagnosis> {
    const report = await this.diagnosis.run();
    return (this.last = { ...report, at: this.clock.now() });
  }
}
