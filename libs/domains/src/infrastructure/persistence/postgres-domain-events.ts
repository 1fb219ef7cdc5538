import { Transaction } from '#kernel';
import { statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../../application/ports/domain-events.port.js';
import { DomainEvent } from '../../domain/domain-event.js';

@Injectable()
export class PostgresDomainEvents extends DomainEvents {
  async append(event: DomainEvent, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'INSERT INTO domain_events (id, team_id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5)',
      values: [event.id, event.teamId, event.type, JSON.stringify(event.payload), event.createdAt],
    });
  }
}
