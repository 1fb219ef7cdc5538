import { Config } from '#platform/config';
import { Global, Module } from '@nestjs/common';
import { ReadBudget } from './read-budget.js';
import { RequestTurns } from './request-turns.js';

@Global()
@Module({
  providers: [
    ReadBudget,
    {
      provide: RequestTurns,
      inject: [Config],
      useFactory: ({ values }: Config) => new RequestTurns(values.databasePool),
    },
  ],
  exports: [ReadBudget, RequestTurns],
})
export class ResponsesModule {}
