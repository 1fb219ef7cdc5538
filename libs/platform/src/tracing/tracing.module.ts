import { Config } from '#platform/config';
import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { EmailTracing, NoEmailTracing } from './email-tracing.js';

@Injectable()
class TracingCloser implements OnApplicationShutdown {
  constructor(private readonly tracing: EmailTracing) {}

  onApplicationShutdown(): Promise<void> {
    return this.tracing.close();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: EmailTracing,
      inject: [Config],
      useFactory: async ({ values }: Config): Promise<EmailTracing> => {
        if (values.otlpEndpoint === undefined) return new NoEmailTracing();
        const { OtlpEmailTracing } = await import('./otlp-email-tracing.js');
        return new OtlpEmailTracing(values.otlpEndpoint, values.traceShare);
      },
    },
    TracingCloser,
  ],
  exports: [EmailTracing],
})
export class TracingModule {}
