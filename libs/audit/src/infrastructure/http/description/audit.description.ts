import { ApiDescription, pageErrors, wholeListParameters } from '#platform/api-description';

export const auditExample = {
  id: '0196f3a1-8b3d-7e5a-9f33-4b6a0c9d7e82',
  created_at: '2026-11-30 20:39:59.54+00',
  team_id: '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71',
  action: 'domains.update',
  outcome: 'done',
  actor: { kind: 'user', id: '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60' },
  address: '203.0.113.7',
  target_id: '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57',
  before: { tls: 'opportunistic' },
  after: { tls: 'enforced' },
};

export const apiDescription: ApiDescription = {
  tag: 'Audit log',
  tagDescription:
    'Who changed what in your team, and when. Sent emails are not listed here: they name their actor themselves.',
  schemas: {
    AuditActorResponse: {
      description: 'Who did it.',
      properties: {
        kind: 'A key, a user, the service itself, or the operator with the key of the configuration.',
        id: 'Id of the key or of the user.',
      },
    },
    AuditEntryResponse: {
      description: 'A change.',
      properties: {
        id: 'Id of the entry.',
        created_at: 'When the change was begun.',
        team_id: 'Id of the team; null where it concerns the installation.',
        action: 'What was done, for example `domains.update`.',
        outcome: '`unknown`: the process ended before it could store the outcome.',
        actor: 'Who did it.',
        address: 'Address from which the request came.',
        target_id: 'Id of what was changed.',
        before: 'The fields that changed, as they were. Secrets are hidden.',
        after: 'The fields that changed, as they are now. Secrets are hidden.',
      },
    },
  },
  operations: {
    'GET /audit': {
      operationId: 'listAudit',
      summary: 'List changes',
      description: 'Every change that was made in your team through the API or the dashboard, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: { description: 'A page of changes.', example: { object: 'list', has_more: false, data: [auditExample] } },
      },
      errors: pageErrors,
    },
  },
};
