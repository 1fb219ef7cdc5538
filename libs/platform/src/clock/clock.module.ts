import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Global, Module } from '@nestjs/common';

class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: Clock,
      inject: [Adapters],
      useFactory: (adapters: Adapters) => adapters.choose(Clock, () => new SystemClock()),
    },
  ],
  exports: [Clock],
})
export class ClockModule {}
