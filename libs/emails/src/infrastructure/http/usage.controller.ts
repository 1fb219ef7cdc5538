import { AudienceUsage, maxSegments } from '#audience';
import { OwnedDomains } from '#domains';
import { PermissionsOf, TeamId } from '#identity';
import { Clock } from '#kernel';
import { Describes, Operation, Responses } from '#http/openapi';
import { ReadUsage, used } from '#rate-limit';
import { Controller, Get } from '@nestjs/common';
import { TeamCounts } from '../../application/ports/email-repository.port.js';
import { UsageResponse } from './usage.response.js';

/** Value for "no limit" where the types of clients require a number: the largest that all of them can hold. */
const unlimited = 2 ** 31 - 1;

/**
 * `GET /usage` (docs/wire-contract.md section 24). Features that this service does not have or does not limit are shown
 * as unused.
 */
@Controller('usage')
@Describes('Usage', 'What your team has used of its quotas.')
@PermissionsOf('usage')
export class UsageController {
  constructor(
    private readonly readUsage: ReadUsage,
    private readonly domains: OwnedDomains,
    private readonly audience: AudienceUsage,
    private readonly counts: TeamCounts,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('Get your usage', 'What your team has used of its daily and monthly quotas, and its rate limit.')
  @Responses(UsageResponse, 'The usage.')
  async getUsage(@TeamId() teamId: string): Promise<UsageResponse> {
    const [{ usage, limits, resetsAt, requestsPerSecond }, domains, audience, broadcasts, automationRuns] =
      await Promise.all([
        this.readUsage.read(teamId),
        this.domains.count(teamId),
        this.audience.of(teamId),
        this.counts.broadcasts(teamId),
        this.counts.automationRuns(teamId, this.clock.now()),
      ]);
    const monthEnd = resetsAt.monthly.toISOString();
    return {
      object: 'usage',
      emails: {
        daily: {
          used: used(usage.daily),
          limit: limits.daily ?? null,
          sent: usage.daily.sent,
          received: usage.daily.received,
          resets_at: resetsAt.daily.toISOString(),
        },
        monthly: {
          used: used(usage.monthly),
          limit: limits.monthly ?? unlimited,
          sent: usage.monthly.sent,
          received: usage.monthly.received,
          resets_at: monthEnd,
        },
      },
      contacts: { used: audience.contacts, limit: unlimited },
      segments: { used: audience.segments, limit: maxSegments },
      broadcasts: { used: broadcasts, limit: null },
      ai_credits: { used: 0, limit: 0, next_increase_at: null },
      automation_runs: { used: automationRuns, limit: unlimited, resets_at: monthEnd },
      domains: { used: domains, limit: null },
      rate_limit: { limit: requestsPerSecond, duration: '1s' },
    };
  }
}
