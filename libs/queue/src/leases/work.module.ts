import { Global, Module } from '@nestjs/common';
import { WorkHost } from './work-host.js';

@Global()
@Module({ providers: [WorkHost], exports: [WorkHost] })
export class WorkModule {}
