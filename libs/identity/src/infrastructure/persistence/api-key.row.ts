import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ApiKey } from '../../domain/api-key.js';
import type { ApiKeyAccess } from '../../domain/permission.js';

@Entity('api_keys')
export class ApiKeyRow implements ApiKey {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'team_id' })
  teamId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  permission!: ApiKeyAccess;

  @Column('uuid', { name: 'domain_id', nullable: true })
  domainId!: string | null;

  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
