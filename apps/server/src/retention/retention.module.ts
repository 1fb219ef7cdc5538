import { EmailsModule } from '#emails';
import { Module } from '@nestjs/common';
import { RetentionWorker } from './retention-worker.js';
import { Retention } from './retention.js';

@Module({ imports: [EmailsModule], providers: [Retention, RetentionWorker] })
export class RetentionModule {}
