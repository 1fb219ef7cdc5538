import { DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';
import { Installation } from './installation.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Installation],
      exports: [Config, Installation],
    };
  }
}
