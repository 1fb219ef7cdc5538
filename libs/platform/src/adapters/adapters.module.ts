import { DynamicModule, Global, Module } from '@nestjs/common';
import { Adapters } from './adapters.js';

@Global()
@Module({})
export class AdaptersModule {
  static forRoot(adapters: Adapters): DynamicModule {
    return { module: AdaptersModule, providers: [{ provide: Adapters, useValue: adapters }], exports: [Adapters] };
  }
}
