import { timestamp, toResponse } from '#http/server';
import { Always, Amount, Field, Flag, ListOf, Moment, OneOf, Shape, Text, TextOrNull, Whole } from '#http/openapi';
import type { InstallationState } from '../../application/ports/installation.port.js';
import type { DatedDiagnosis } from '../../application/read-installation.query.js';

@Shape('The state of PostgreSQL.')
export class DatabaseStateResponse {
  @Text('Its version.', '18.1') version!: string;
  @Amount('Size of the database.', 8_123_456_789) size_bytes!: number;
  @Whole('Connections that are open, those of other programs included.', 24) connections!: number;
  @Whole('Connections that it allows.', 100) max_connections!: number;
  @Amount('How long the oldest open transaction has lasted. Long ones hold back cleaning and consumers.', 0.4)
  oldest_transaction_seconds!: number;
  @Amount('Share of the blocks that were found in memory, from 0 to 1.', 0.998) cache_hit_ratio!: number;
}

@Shape('Counts of events since a moment, which moves on each quarter of an hour.')
export class FlowStateResponse {
  @Moment('The moment.', '2026-11-30 20:15:00+00') since!: string;
  @Amount('Recipients accepted.', 90_112) sent!: number;
  @Amount('Recipients delivered.', 88_020) delivered!: number;
  @Amount('Deferrals that were announced.', 311) delayed!: number;
  @Amount('Recipients that bounced.', 210) bounced!: number;
}

@Shape('The state of the disk.')
export class DiskStateResponse {
  @Amount('Free space.', 512_000_000_000) free_bytes!: number;
  @Amount('Size of the disk.', 1_000_000_000_000) total_bytes!: number;
  @Flag('False where so little is free that no mail is accepted.', true) accepting!: boolean;
}

@Shape('A TLS certificate.')
export class CertificateStateResponse {
  @Text('Whom it is for.', 'mail.acme.example') subject!: string;
  @Text('Who issued it.', 'R11') issuer!: string;
  @Moment('When it expires.', '2027-02-01 00:00:00+00') valid_to!: string;
  @Flag('Whether it was not issued by an authority.', false) self_signed!: boolean;
}

@Shape('The state of the installation.')
export class MachineRoomResponse {
  @Always('machine_room') object!: 'machine_room';
  @Moment('When it was read.', '2026-11-30 20:42:12.1+00') at!: string;
  @Text('Version of Postrider.', '0.1.0') version!: string;
  @Text('Version of Node.', 'v24.11.0') node_version!: string;
  @Moment('When the process that answers started.', '2026-11-30 08:00:00+00') started_at!: string;
  @Field('PostgreSQL.', { type: DatabaseStateResponse }) database!: DatabaseStateResponse;
  @Field('What has become of the mail of all teams.', { type: FlowStateResponse }) flow!: FlowStateResponse;
  @Field('The disk of `DATA_DIR`; null if it cannot be read.', { type: DiskStateResponse, nullable: true })
  disk!: DiskStateResponse | null;
  @Field('The TLS certificate for SMTP; null in a process that does not listen for SMTP.', {
    type: CertificateStateResponse,
    nullable: true,
  })
  certificate!: CertificateStateResponse | null;
}

const levels = ['green', 'yellow', 'red'];

@Shape('A finding.')
export class FindingResponse {
  @OneOf(levels, 'Green: in order. Yellow: needs attention. Red: mail is not delivered, or soon will not be.', 'yellow')
  level!: string;
  @TextOrNull('The address or domain that was checked, if there are several.', '192.0.2.1')
  subject!: string | null;
  @Text('What was found.', 'has the name host.example, and not mail.acme.example') text!: string;
  @TextOrNull('What to do.', 'Ask the owner of the address for this name.') fix!: string | null;
}

@Shape('What a check found.')
export class CheckResponse {
  @Text('Name of the check.', 'reverse name') check!: string;
  @ListOf(FindingResponse, 'One for each address or domain that was checked.') findings!: FindingResponse[];
}

@Shape("The doctor's findings.")
export class InstallationDiagnosisResponse {
  @Always('diagnosis') object!: 'diagnosis';
  @Moment('When the checks ran.', '2026-11-30 20:42:12.1+00') at!: string;
  @OneOf(levels, 'The worst level of all findings.', 'yellow') level!: string;
  @ListOf(CheckResponse, 'The checks, in their order.') checks!: CheckResponse[];
}

export const machineRoomResponse = (state: InstallationState): MachineRoomResponse =>
  toResponse(MachineRoomResponse, state, {
    node_version: state.node,
    database: toResponse(DatabaseStateResponse, state.database),
    flow: { ...state.flow, since: timestamp(state.flow.since) },
    disk:
      state.disk === undefined
        ? null
        : { free_bytes: state.disk.freeBytes, total_bytes: state.disk.totalBytes, accepting: state.disk.isAccepting },
    certificate:
      state.certificate === undefined
        ? null
        : {
            subject: state.certificate.subject,
            issuer: state.certificate.issuer,
            valid_to: timestamp(state.certificate.validTo),
            self_signed: state.certificate.isSelfSigned,
          },
  });

export const diagnosisResponse = (diagnosis: DatedDiagnosis): InstallationDiagnosisResponse =>
  toResponse(InstallationDiagnosisResponse, diagnosis, {
    checks: diagnosis.checks.map(({ check, findings }) => ({
      check,
      findings: findings.map((finding) => ({
        level: finding.level,
        subject: finding.subject ?? null,
        text: finding.text,
        fix: finding.fix ?? null,
      })),
    })),
  });
