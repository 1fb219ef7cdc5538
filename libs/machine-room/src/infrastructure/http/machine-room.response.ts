import { timestamp } from '#platform/http';
import { ApiProperty, Flag, Moment, OneOf, Text, TextOrNull, Whole } from '#platform/openapi';
import type { InstallationState } from '../../application/ports/installation.port.js';
import type { DatedDiagnosis } from '../../application/read-diagnosis.query.js';

const amount = (): PropertyDecorator => ApiProperty({ type: Number });

export class DatabaseStateResponse {
  @Text() version!: string;
  @amount() size_bytes!: number;
  @Whole() connections!: number;
  @Whole() max_connections!: number;
  @amount() oldest_transaction_seconds!: number;
  @amount() cache_hit_ratio!: number;
}

export class FlowStateResponse {
  @Moment() since!: string;
  @amount() sent!: number;
  @amount() delivered!: number;
  @amount() delayed!: number;
  @amount() bounced!: number;
}

export class DiskStateResponse {
  @amount() free_bytes!: number;
  @amount() total_bytes!: number;
  @Flag() accepting!: boolean;
}

export class CertificateStateResponse {
  @Text() subject!: string;
  @Text() issuer!: string;
  @Moment() valid_to!: string;
  @Flag() self_signed!: boolean;
}

export class MachineRoomResponse {
  @OneOf('machine_room') object!: 'machine_room';
  @Moment() at!: string;
  @Text() version!: string;
  @Text() node_version!: string;
  @Moment() started_at!: string;
  @ApiProperty({ type: DatabaseStateResponse }) database!: DatabaseStateResponse;
  @ApiProperty({ type: FlowStateResponse }) flow!: FlowStateResponse;
  @ApiProperty({ type: DiskStateResponse, nullable: true }) disk!: DiskStateResponse | null;
  @ApiProperty({ type: CertificateStateResponse, nullable: true }) certificate!: CertificateStateResponse | null;
}

const levels = ['green', 'yellow', 'red'];

export class FindingResponse {
  @OneOf(...levels) level!: string;
  @TextOrNull() subject!: string | null;
  @Text() text!: string;
  @TextOrNull() fix!: string | null;
}

export class CheckResponse {
  @Text() check!: string;
  @ApiProperty({ type: [FindingResponse] }) findings!: FindingResponse[];
}

export class InstallationDiagnosisResponse {
  @OneOf('diagnosis') object!: 'diagnosis';
  @Moment() at!: string;
  @OneOf(...levels) level!: string;
  @ApiProperty({ type: [CheckResponse] }) checks!: CheckResponse[];
}

export function machineRoomResponse(state: InstallationState): MachineRoomResponse {
  const { database, flow, disk, certificate } = state;
  return {
    object: 'machine_room',
    at: timestamp(state.at),
    version: state.version,
    node_version: state.node,
    started_at: timestamp(state.startedAt),
    database: {
      version: database.version,
      size_bytes: database.sizeBytes,
      connections: database.connections,
      max_connections: database.maxConnections,
      oldest_transaction_seconds: database.oldestTransactionSeconds,
      cache_hit_ratio: database.cacheHitRatio,
    },
    flow: { ...flow, since: timestamp(flow.since) },
    disk:
      disk === undefined
        ? null
        : { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes, accepting: disk.isAccepting },
    certificate:
      certificate === undefined
        ? null
        : {
            subject: certificate.subject,
            issuer: certificate.issuer,
            valid_to: timestamp(certificate.validTo),
            self_signed: certificate.isSelfSigned,
          },
  };
}

export function diagnosisResponse({ at, level, checks }: DatedDiagnosis): InstallationDiagnosisResponse {
  return {
    object: 'diagnosis',
    at: timestamp(at),
    level,
    checks: checks.map(({ check, findings }) => ({
      check,
      findings: findings.map((finding) => ({
        level: finding.level,
        subject: finding.subject ?? null,
        text: finding.text,
        fix: finding.fix ?? null,
      })),
    })),
  };
}
