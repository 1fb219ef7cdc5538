import { Global, Module } from '@nestjs/common';
import { Timers } from './timers.js';

@Global()
@Module({ providers: [Timers], exports: [Timers] })
export class TimersModule {}
