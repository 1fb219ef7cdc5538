import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Team } from '../../domain/api-key.js';

@Entity('teams')
export class TeamRow implements Team {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
