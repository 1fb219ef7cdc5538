import { Config } from '#platform/config';
import { Global, Module } from '@nestjs/common';
import { ErrorShapes } from './error-shapes.js';
import { ReadBudget } from './read-budget.js';
import { RequestTurns } from './request-turns.js';

@Global()
@Module({
  providers: [
    ReadBudget,
    ErrorShapes,
    {
      provide: RequestTurns,
      inject: [Config],
      useFactory: ({ values }: Config) => new RequestTurns(values.databasePool),
    },
  ],
  exports: [ReadBudget, ErrorShapes, RequestTurns],
})
export class ResponsesModule {}
