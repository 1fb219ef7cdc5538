import { Database } from '#platform/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#platform/privacy';
import { Injectable } from '@nestjs/common';

const portionRows = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

interface Log extends Record<string, unknown> {
  readonly id: string;
  readonly endpoint: string;
  readonly method: string;
  readonly status: number;
  readonly createdAt: string;
  readonly request: unknown;
  readonly response: unknown;
}

/** The API requests that name an address in their path or in a body. All requests of the team are read, portion by portion. */
@Injectable()
export class RequestLogsData extends PersonalData {
  readonly name = 'logs';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, address }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined = first; after !== undefined;) {
      const portion: { last: string | undefined; logs: Log[] } = await this.portion(teamId, address, after);
      for (const { id, endpoint, method, status, createdAt, request, response } of portion.logs) {
        yield {
          id,
          endpoint,
          method,
          response_status: status,
          created_at: createdAt,
          request_body: request,
          response_body: response,
        };
      }
      after = portion.last;
    }
  }

  /** The log of a request stays, without its bodies and its path. */
  async erase({ teamId, address }: DataSubject, after = first): Promise<ErasedPortion> {
    const { logs, last } = await this.portion(teamId, address, after);
    if (logs.length > 0) {
      await this.database.execute({
        text: `UPDATE request_logs SET request_body = NULL, response_body = NULL,
                 endpoint = CASE WHEN strpos(lower(replace(endpoint, '%40', '@')), $3) > 0 THEN '/erased' ELSE endpoint END
               WHERE team_id = $1 AND id = ANY($2::uuid[])`,
        values: [teamId, logs.map(({ id }) => id), address],
      });
    }
    return { erased: logs.length, next: last, isWaiting: false };
  }

  private async portion(
    teamId: string,
    address: string,
    after: string,
  ): Promise<{ last: string | undefined; logs: Log[] }> {
    const [row] = await this.database.query<{ last: string | null; read: number; logs: Log[] | null }>({
      text: `WITH portion AS MATERIALIZED (
               SELECT id, endpoint, method, response_status, created_at, request_body, response_body
               FROM request_logs WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT ${portionRows}
             )
             SELECT (SELECT p.id FROM portion p ORDER BY p.id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM portion) AS read,
                    (SELECT json_agg(json_build_object('id', id, 'endpoint', endpoint, 'method', method, 'status', response_status,
                                                       'createdAt', created_at, 'request', request_body,
                                                       'response', response_body))
                     FROM portion
                     WHERE strpos(lower(replace(endpoint, '%40', '@')), $3) > 0 OR strpos(lower(request_body::text), $3) > 0
                       OR strpos(lower(response_body::text), $3) > 0) AS logs`,
      values: [teamId, after, address],
    });
    if (row === undefined) return { last: undefined, logs: [] };
    return { last: row.read < portionRows ? undefined : (row.last ?? undefined), logs: row.logs ?? [] };
  }
}
