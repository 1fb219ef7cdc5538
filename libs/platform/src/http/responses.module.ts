import { Global, Module } from '@nestjs/common';
import { ReadBudget } from './read-budget.js';

@Global()
@Module({ providers: [ReadBudget], exports: [ReadBudget] })
export class ResponsesModule {}
