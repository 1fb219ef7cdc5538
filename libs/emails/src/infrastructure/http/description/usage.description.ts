import type { ApiDescription } from '#platform/api-description';

const unlimited = Number.MAX_SAFE_INTEGER;
const monthEnd = '2026-12-01T00:00:00.000Z';
const count = {
  used: 'Number of existing or used items.',
  limit: 'Maximum number; null where there is no limit.',
};
const resetsAt = 'When the count starts again from zero.';

export const apiDescription: ApiDescription = {
  tag: 'Usage',
  tagDescription: 'What your team has used of its quotas.',
  schemas: {
    UsageResponse: {
      description: 'Quotas and their use. Features that Postrider does not have are shown as unused.',
      properties: {
        object: 'Always `usage`.',
        emails: 'Messages, one for each recipient.',
        contacts: 'Contacts.',
        segments: 'Segments.',
        broadcasts: 'Broadcasts, whatever their state.',
        ai_credits: 'Always unused.',
        automation_runs: 'Automation runs. There are none yet.',
        domains: 'Domains of your team.',
        rate_limit: 'How many requests your team may make.',
      },
    },
    EmailUsageResponse: {
      description: 'Messages by period.',
      properties: { daily: 'Messages of the current day (UTC).', monthly: 'Messages of the current month (UTC).' },
    },
    EmailPeriodResponse: {
      description: 'Messages of a period.',
      properties: {
        ...count,
        limit: `Maximum number of messages; null, or ${unlimited} in \`monthly\`, where there is no quota.`,
        sent: 'Messages sent.',
        received: 'Messages received.',
        resets_at: resetsAt,
      },
    },
    CountResponse: { description: 'A count and its limit.', properties: count },
    CreditsResponse: {
      description: 'A count and its limit.',
      properties: { ...count, next_increase_at: 'When the limit increases; null where it does not.' },
    },
    RunsResponse: { description: 'A count and its limit.', properties: { ...count, resets_at: resetsAt } },
    RateLimitResponse: {
      description: 'Requests per period.',
      properties: { limit: 'Requests of all API keys of the team together.', duration: 'The period, such as `1s`.' },
    },
  },
  operations: {
    'GET /usage': {
      operationId: 'getUsage',
      summary: 'Get your usage',
      description: 'What your team has used of its daily and monthly quotas, and its rate limit.',
      responses: {
        200: {
          description: 'The usage.',
          example: {
            object: 'usage',
            emails: {
              daily: { used: 42, limit: 1_000, sent: 42, received: 0, resets_at: '2026-12-01T00:00:00.000Z' },
              monthly: { used: 1_042, limit: unlimited, sent: 1_042, received: 0, resets_at: monthEnd },
            },
            contacts: { used: 1_250, limit: unlimited },
            segments: { used: 3, limit: 1_000 },
            broadcasts: { used: 0, limit: null },
            ai_credits: { used: 0, limit: 0, next_increase_at: null },
            automation_runs: { used: 0, limit: 0, resets_at: monthEnd },
            domains: { used: 2, limit: null },
            rate_limit: { limit: 10, duration: '1s' },
          },
        },
      },
      errors: [],
    },
  },
};
