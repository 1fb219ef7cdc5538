import { UnindexedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/**
 * The API requests that name an address in their path, in a body or as the client. The log of a request stays, without
 * its bodies and its path.
 */
@Injectable()
export class RequestLogsData extends UnindexedRows {
  readonly name = 'logs';

  protected readonly portion = `
    SELECT id, endpoint, method, response_status, created_at, request_body, response_body, user_agent
    FROM request_logs WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `endpoint ~ $4 OR user_agent ~ $4 OR request_body::text ~ $4 OR response_body::text ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'endpoint', endpoint, 'method', method, 'response_status', response_status,
                      'created_at', created_at, 'request_body', request_body, 'response_body', response_body, 'user_agent', user_agent)`;

  protected readonly clear = `
    UPDATE request_logs SET request_body = NULL, response_body = NULL,
      endpoint = CASE WHEN endpoint ~ $3 THEN '/erased' ELSE endpoint END,
      user_agent = CASE WHEN user_agent ~ $3 THEN NULL ELSE user_agent END
    WHERE team_id = $1 AND id = ANY ($2::uuid[])`;
}
