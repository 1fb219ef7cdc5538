import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { OutboundHttp } from './outbound-http.js';

@Injectable()
class OutboundHttpCloser implements OnApplicationShutdown {
  constructor(private readonly http: OutboundHttp) {}

  onApplicationShutdown(): void {
    this.http.close();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: OutboundHttp,
      inject: [Adapters, Config],
      useFactory: (adapters: Adapters, { values }: Config) =>
        adapters.choose(
          OutboundHttp,
          () => new OutboundHttp(values.allowPrivateDestinations ? { allows: () => true } : {}),
        ),
    },
    OutboundHttpCloser,
  ],
  exports: [OutboundHttp],
})
export class OutboundHttpModule {}
