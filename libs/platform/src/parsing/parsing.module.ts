import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { ParserThreads } from './parser-threads.js';

@Injectable()
class ParserThreadsCloser implements OnApplicationShutdown {
  constructor(private readonly threads: ParserThreads) {}

  onApplicationShutdown(): void {
    this.threads.stop();
  }
}

@Global()
@Module({
  providers: [{ provide: ParserThreads, useFactory: () => new ParserThreads() }, ParserThreadsCloser],
  exports: [ParserThreads],
})
export class ParsingModule {}
