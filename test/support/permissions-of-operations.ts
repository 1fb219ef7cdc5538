/**
 * What each operation of the API needs, by its id. A new operation is added here, or `test/e2e/permissions.test.ts` fails:
 * whoever adds it decides who may call it.
 */
export const operationsByPermission: Readonly<Record<string, readonly string[]>> = {
  'api-keys:read': ['listApiKeys'],
  'api-keys:write': ['createApiKey', 'updateApiKey', 'deleteApiKey'],
  'audit:read': ['listAudit'],
  'domains:read': [
    ...['getDomainClaim', 'getDomainClaimAlias', 'getDomainDiagnosis', 'listDkimKeys', 'listDomains', 'getDomain'],
  ],
  'domains:write': [
    ...['createDomainClaim', 'verifyDomainClaim', 'createDomainClaimAlias', 'verifyDomainClaimAlias'],
    ...['rotateDkimKeys', 'createDomain', 'updateDomain', 'deleteDomain', 'verifyDomain'],
  ],
  'emails:read': [
    ...['getEmailTrace', 'listEmailAttachments', 'getEmailAttachment', 'listEmails', 'getEmail', 'listEmailEvents'],
    ...['listReceivedEmails', 'getReceivedEmail', 'listReceivedEmailAttachments', 'getReceivedEmailAttachment'],
  ],
  'emails:send': ['sendEmail', 'sendEmailBatch'],
  'emails:write': ['shareEmail', 'updateEmail', 'cancelEmail'],
  'logs:read': ['listLogs', 'getLog'],
  'metrics:read': ['getEmailMetrics'],
  'sandbox:read': ['listSandboxMessages', 'getSandboxMessage'],
  'suppressions:read': ['listSuppressions', 'getSuppression'],
  'suppressions:write': ['addSuppression', 'addSuppressionBatch', 'removeSuppressionBatch', 'removeSuppression'],
  'team:read': ['getTeam', 'listMembers', 'getMember', 'listInvitations', 'listOAuthGrants'],
  // Everybody may remove themselves.
  'team:write': [
    'removeMember',
    'updateTeam',
    'updateMember',
    'transferTeam',
    'inviteMember',
    'revokeInvitation',
    'revokeOAuthGrant',
  ],
  'usage:read': ['getUsage'],
  'webhooks:read': [
    ...['listWebhookEvents', 'getWebhookEvent', 'listWebhookEventAttempts', 'listWebhooks', 'getWebhook'],
  ],
  'webhooks:write': [
    ...['replayWebhookEvents', 'replayWebhookEvent', 'createWebhook', 'updateWebhook', 'deleteWebhook'],
    ...['rotateWebhookSecret'],
  ],
  /** A signed-in user, in whatever team. */
  user: ['getMe', 'confirmMe', 'listSessions', 'revokeOtherSessions', 'revokeSession'],
  operator: [
    ...['operatorCreateTeam', 'operatorListTeams', 'operatorGetTeam', 'operatorUpdateTeam', 'operatorPutMember'],
    ...['operatorCreateUser', 'operatorListUsers', 'operatorUpdateUser', 'operatorListAudit'],
  ],
  /** With the token of a link where it changes something. */
  everybody: ['getSignInMethods', 'createOwner', 'showInvitation', 'acceptInvitation'],
};
