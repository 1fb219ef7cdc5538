import { DynamicModule, Global, Injectable, LoggerService, Module } from '@nestjs/common';
import { type Logger as PinoLogger, pino } from 'pino';

/**
 * Structured logs on standard error, one JSON object per line. Standard output is reserved for the output of commands.
 *
 * Lines contain ids, never bodies, keys or secrets. The paths in `redact` are only a second line of defence.
 */
@Injectable()
export class Logger implements LoggerService {
  constructor(private readonly pino: PinoLogger) {}

  static create(level: string): Logger {
    return new Logger(
      pino(
        {
          level,
          base: undefined,
          timestamp: pino.stdTimeFunctions.isoTime,
          serializers: { error: pino.stdSerializers.err },
          redact: ['authorization', '*.authorization', 'password', '*.password', 'token', '*.token'],
        },
        pino.destination({ fd: 2, sync: false }),
      ),
    );
  }

  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  error(fields: unknown, message?: string): void {
    if (typeof fields === 'object' && fields !== null) this.pino.error(fields, message);
    else this.pino.error({ context: message }, String(fields));
  }

  warn(fields: unknown, message?: string): void {
    if (typeof fields === 'object' && fields !== null) this.pino.warn(fields, message);
    else this.pino.warn({ context: message }, String(fields));
  }

  /** Nest's start-up messages, which are useful only for debugging. */
  log(message: unknown, context?: string): void {
    this.pino.debug({ context }, String(message));
  }

  debug(fields: unknown, message?: string): void {
    if (typeof fields === 'object' && fields !== null) this.pino.debug(fields, message);
    else this.pino.debug({ context: message }, String(fields));
  }

  verbose(message: unknown, context?: string): void {
    this.pino.trace({ context }, String(message));
  }

  flush(): void {
    this.pino.flush();
  }
}

@Global()
@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: Logger, useValue: logger }], exports: [Logger] };
  }
}
