import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Domain } from '../../domain/domain.js';
import type { DkimPublication, DomainStatus, TlsPolicy } from '../../domain/domain.js';
import type { RecordChecks } from '../../domain/record-check.js';

@Entity('domains')
export class DomainRow implements Domain {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'team_id' })
  teamId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: DomainStatus;

  @Column('text')
  region!: string;

  @Column('text', { name: 'custom_return_path' })
  customReturnPath!: string;

  @Column('text')
  tls!: TlsPolicy;

  @Column('boolean', { name: 'open_tracking' })
  openTracking!: boolean;

  @Column('boolean', { name: 'click_tracking' })
  clickTracking!: boolean;

  @Column('text', { name: 'tracking_subdomain', nullable: true })
  trackingSubdomain!: string | null;

  @Column('boolean')
  sending!: boolean;

  @Column('boolean')
  receiving!: boolean;

  @Column('text', { name: 'dkim_publication' })
  dkimPublication!: DkimPublication;

  @Column('integer', { name: 'dkim_generation' })
  dkimGeneration!: number;

  @Column('boolean')
  sandbox!: boolean;

  @Column('jsonb')
  checks!: RecordChecks;

  @Column('text', { name: 'dns_provider', nullable: true })
  dnsProvider!: string | null;

  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;

  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt!: Date | null;

  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
