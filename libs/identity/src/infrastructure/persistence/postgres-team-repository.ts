import { Transaction } from '#kernel';
import { statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { TeamRepository } from '../../application/ports/team-repository.port.js';
import { Team } from '../../domain/api-key.js';

@Injectable()
export class PostgresTeamRepository extends TeamRepository {
  async insert(team: Team, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'INSERT INTO teams (id, name, created_at) VALUES ($1, $2, $3)',
      values: [team.id, team.name, team.createdAt],
    });
  }

  async anyExists(transaction: Transaction): Promise<boolean> {
    const statements = statementsOf(transaction);
    await statements.execute({ text: 'LOCK TABLE teams IN SHARE ROW EXCLUSIVE MODE' });
    return (await statements.query({ text: 'SELECT 1 FROM teams LIMIT 1' })).length > 0;
  }

  async lock(teamId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'SELECT FROM teams WHERE id = $1 FOR UPDATE',
      values: [teamId],
    });
  }
}
