/** Green: in order. Yellow: needs attention. Red: mail is not delivered, or soon will not be. */
export type FindingLevel = 'green' | 'yellow' | 'red';

export interface DiagnosisFinding {
  readonly level: FindingLevel;
  readonly subject?: string;
  readonly text: string;
  readonly fix?: string;
}

export interface DiagnosisReport {
  readonly level: FindingLevel;
  readonly checks: readonly { readonly check: string; readonly findings: readonly DiagnosisFinding[] }[];
}

/** Checks the preconditions of delivery. May take many seconds, and asks the network. The program provides it. */
export abstract class Diagnosis {
  abstract run(): Promise<DiagnosisReport>;
}
