import { Global, Module } from '@nestjs/common';
import { EventLoop } from './event-loop.js';

@Global()
@Module({ providers: [EventLoop], exports: [EventLoop] })
export class EventLoopModule {}
