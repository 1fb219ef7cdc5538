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

  /** Whether it signs now. */
  @Column('boolean')
  signing!: boolean;

  /** When it stopped signing. It stays published until the mail that it signed has arrived. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
