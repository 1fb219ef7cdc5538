import { DynamicModule, Global, Inject, Module, OnApplicationShutdown, Optional } from '@nestjs/common';
import { Logger } from '#observability/logging';
import { RedisClient } from './redis-client.js';

/** Provides `RedisClient` if REDIS_URL is set. */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  static forRoot(urls: readonly string[] | undefined): DynamicModule {
    if (urls === undefined) return { module: RedisModule };
    const client = {
      provide: RedisClient,
      inject: [Logger],
      useFactory: (logger: Logger) => new RedisClient(urls, logger),
    };
    return { module: RedisModule, providers: [client], exports: [RedisClient] };
  }

  constructor(@Optional() @Inject(RedisClient) private readonly client: RedisClient | undefined) {}

  onApplicationShutdown(): void {
    this.client?.close();
  }
}
