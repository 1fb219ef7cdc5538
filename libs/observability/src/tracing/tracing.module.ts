import { Config } from '#platform/config';
import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { Tracing, NoTracing } from './tracing.js';

@Injectable()
class TracingCloser implements OnApplicationShutdown {
  constructor(private readonly tracing: Tracing) {}

  onApplicationShutdown(): Promise<void> {
    return this.tracing.close();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: Tracing,
      inject: [Config],
      useFactory: async ({ values }: Config): Promise<Tracing> => {
        if (values.otlpEndpoint === undefined) return new NoTracing();
        const { OtlpTracing } = await import('./otlp-tracing.js');
        return new OtlpTracing(values.otlpEndpoint, values.traceShare);
      },
    },
    TracingCloser,
  ],
  exports: [Tracing],
})
export class TracingModule {}
