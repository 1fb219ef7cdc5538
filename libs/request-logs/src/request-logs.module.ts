import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { LogRequest } from './application/log-request.use-case.js';
import { RequestLogRepository } from './application/ports/request-log-repository.port.js';
import { RequestLogging } from './infrastructure/http/request-logging.js';
import { RequestLogsController } from './infrastructure/http/request-logs.controller.js';
import {
  PostgresRequestLogRepository,
  RequestLogsData,
} from './infrastructure/persistence/postgres-request-log-repository.js';

/** What the logs hold about people. For every process. */
@Module({ providers: [RequestLogsData] })
export class RequestLogsModule {}

/** Every API request of a team, readable by the team. */
@Module({
  imports: [IdentityModule],
  controllers: [RequestLogsController],
  providers: [{ provide: RequestLogRepository, useClass: PostgresRequestLogRepository }, LogRequest, RequestLogging],
})
export class RequestLogsHttpModule {}
