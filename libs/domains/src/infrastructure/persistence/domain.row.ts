import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Domain } from '../../domain/domain.js';
import type { DomainStatus } from '../../domain/domain.js';

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

  @Column('boolean')
  sandbox!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
