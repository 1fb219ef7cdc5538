import { DynamicModule, Global, Module } from '@nestjs/common';
import { SecretBox } from './secret-box.js';

@Global()
@Module({})
export class SecretsModule {
  static forRoot(secretKey: string, previousSecretKeys: readonly string[]): DynamicModule {
    return {
      module: SecretsModule,
      providers: [{ provide: SecretBox, useValue: new SecretBox(secretKey, previousSecretKeys) }],
      exports: [SecretBox],
    };
  }
}
