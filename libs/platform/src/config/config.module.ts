import { DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';
import { InstallationFacts } from './installation-facts.js';

@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, InstallationFacts],
      exports: [Config, InstallationFacts],
    };
  }
}
