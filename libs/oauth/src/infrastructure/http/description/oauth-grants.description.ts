import { NotFoundError } from '#kernel';
import { ApiDescription, idParameter, invalidId, pageErrors, wholeListParameters } from '#platform/api-description';

const grantId = '0196f3a1-ad5f-7a7c-9b55-6d8c2e1f9a04';

export const apiDescription: ApiDescription = {
  tag: 'OAuth',
  tagDescription: 'Tools that act for users of the team: the command-line client after its login, and MCP clients.',
  schemas: {
    OAuthGrantClientResponse: {
      description: 'The tool, as it named itself.',
      properties: { name: 'Name of the tool.', logo_uri: 'Address of its logo.' },
    },
    OAuthGrantResponse: {
      description: 'That a user lets a tool act in the team.',
      properties: {
        id: 'Id of the grant.',
        client_id: 'Id of the tool.',
        scopes: 'What the tool may do, as far as the user may.',
        created_at: 'When the user allowed it.',
        revoked_at: 'When it ended; null while it is in force.',
        revoked_reason: 'Why it ended.',
        client: 'The tool.',
      },
    },
    RevokedGrantResponse: {
      description: 'The grant that was revoked.',
      properties: {
        object: 'Always `oauth_grant`.',
        id: 'Id of the grant.',
        revoked_at: 'When it was revoked.',
        revoked_reason: 'Why it was revoked.',
      },
    },
  },
  operations: {
    'GET /oauth/grants': {
      operationId: 'listOAuthGrants',
      summary: 'List tools',
      description: 'The tools that may act in your team, newest first.',
      parameters: wholeListParameters,
      responses: {
        200: {
          description: 'A page of grants.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                id: grantId,
                client_id: '7136aa0b-625c-4c9c-8820-e9784c8eb141',
                scopes: ['full_access'],
                created_at: '2026-11-28 09:12:44.08+00',
                revoked_at: null,
                revoked_reason: null,
                client: { name: 'Command line' },
              },
            ],
          },
        },
      },
      errors: pageErrors,
    },
    'DELETE /oauth/grants/{id}': {
      operationId: 'revokeOAuthGrant',
      summary: 'Revoke a tool',
      description: 'The tokens of the tool stop working at once.',
      parameters: { id: idParameter('Id of the grant.', grantId) },
      responses: {
        200: {
          description: 'Revoked.',
          example: {
            object: 'oauth_grant',
            id: grantId,
            revoked_at: '2026-11-30T20:39:59.540Z',
            revoked_reason: 'revoked_from_api',
          },
        },
      },
      errors: [invalidId('id'), new NotFoundError('OAuth grant')],
    },
  },
};
