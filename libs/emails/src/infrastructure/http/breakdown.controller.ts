import { PermissionsOf, TeamId } from '#identity';
import { Describes, Operation, QueryList, QueryParameter, Refuses, Responses } from '#http/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { EmailBreakdowns } from '../../application/ports/email-repository.port.js';
import { breakdownKeys, defaultBreakdownKey, parseBreakdownKey } from '../../domain/email-breakdown.js';
import { parseEmailFilter } from '../../domain/email-filter.js';
import { exampleId } from './example-ids.js';
import { BreakdownResponse, breakdownResponse } from './breakdown.response.js';

@Controller('emails/breakdown')
@Describes('Metrics')
@PermissionsOf('metrics')
export class BreakdownController {
  constructor(private readonly breakdowns: EmailBreakdowns) {}

  @Get()
  @Operation(
    'Get a breakdown of emails',
    'Counts the present states of the recipients of your newest emails, by the domain of the recipient, ' +
      'the sending domain or the tag. Metrics of exact periods are at `GET /emails/metrics`.',
  )
  @QueryParameter(
    'by',
    '`recipient_domain`: who receives it. `domain`: the sending domain. `tag`: name and value of a tag.',
    { enum: [...breakdownKeys], default: defaultBreakdownKey },
    'recipient_domain',
  )
  @QueryList(
    'domain_id',
    'Emails from these sending domains. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', format: 'uuid' },
    [exampleId],
  )
  @QueryParameter('created_after', 'Emails accepted at or after this date or time.', {}, '2026-11-30T08:00:00Z')
  @QueryParameter('created_before', 'Emails accepted before this date or time.', {}, '2026-12-01')
  @Responses(BreakdownResponse, 'The counts.')
  @Refuses(() => [
    () => parseBreakdownKey('provider'),

    () => parseEmailFilter({ domain_id: 'acme' }),
    () => parseEmailFilter({ broadcast_id: 'news' }),
    () => parseEmailFilter({ created_after: 'yesterday' }),
  ])
  async getEmailBreakdown(@TeamId() teamId: string, @Query() query: Record<string, unknown>) {
    const by = parseBreakdownKey(query.by);
    const { domain_id, created_after, created_before } = query;
    const filter = parseEmailFilter({ domain_id, created_after, created_before }) ?? {};
    return breakdownResponse(by, await this.breakdowns.count(teamId, by, filter));
  }
}
