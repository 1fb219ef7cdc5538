import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
  ) {}

  async check(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('database');
    try {
      await this.database.query({ text: 'SELECT 1' });
      return indicator.up();
    } catch {
      return indicator.down('PostgreSQL does not answer');
    }
  }
}
