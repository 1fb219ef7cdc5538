/** PostgreSQL as the operator sees it. */
export interface DatabaseState {
  readonly version: string;
  readonly sizeBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** How long the oldest transaction that is open has lasted. */
  readonly oldestTransactionSeconds: number;
  /** Share of the blocks that were read from memory. */
  readonly cacheHitRatio: number;
}

/** Outcomes of the mail of all teams since a moment that moves on each quarter of an hour. */
export interface FlowState {
  readonly since: Date;
  readonly sent: number;
  readonly delivered: number;
  readonly delayed: number;
  readonly bounced: number;
}

export interface CertificateState {
  readonly subject: string;
  readonly issuer: string;
  readonly validTo: Date;
  readonly isSelfSigned: boolean;
}

export interface InstallationState {
  readonly at: Date;
  readonly version: string;
  readonly node: string;
  readonly startedAt: Date;
  readonly database: DatabaseState;
  readonly flow: FlowState;
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number; readonly isAccepting: boolean } | undefined;
  readonly certificate: CertificateState | undefined;
}

/** Reads the state of the installation at a bounded cost. */
export abstract class Installation {
  abstract read(): Promise<InstallationState>;
}

/** Green: in order. Yellow: needs attention. Red: mail is not delivered, or soon will not be. */
type FindingLevel = 'green' | 'yellow' | 'red';

interface DiagnosisFinding {
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
