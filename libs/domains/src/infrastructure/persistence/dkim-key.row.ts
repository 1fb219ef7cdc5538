import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DkimAlgorithm } from '../../domain/domain.js';

@Entity('dkim_keys')
export class DkimKeyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'domain_id' })
  domainId!: string;

  @Column('text')
  selector!: string;

  @Column('text')
  algorithm!: DkimAlgorithm;

  @Column('text', { name: 'public_key' })
  publicKey!: string;

  @Column('bytea', { name: 'sealed_private_key' })
  sealedPrivateKey!: Buffer;

  /** Whether it signs now. A key that no longer signs stays published until the mail it signed has arrived. */
  @Column('boolean')
  signing!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
