import type { AnyRoute } from '@tanstack/react-router';
import { readAhead } from '../editor/read-content';
import { isId } from '../logic/is-id';
import { detail, openPage, page, redirection } from './page-route';

/** Every page of the dashboard. A new one is one line here and one in `frame/navigation.ts`. */
const emails = page('/app/emails', () => import('./emails/emails-page'), 'EmailsPage');

const domains = page('/app/domains', () => import('./domains/domains-page'), 'DomainsPage');
const webhooks = page('/app/webhooks', () => import('./webhooks/webhooks-page'), 'WebhooksPage');
const logs = page('/app/logs', () => import('./logs/logs-page'), 'LogsPage');
const scheduled = page('/app/scheduled', () => import('./scheduled/scheduled-page'), 'ScheduledPage');

const contacts = page('/app/contacts', () => import('./audience/contacts-page'), 'ContactsPage');
const segments = page('/app/segments', () => import('./audience/segments-page'), 'SegmentsPage');
const inbox = page('/app/inbox', () => import('./inbox/inbox-page'), 'InboxPage');
const received = page('/app/received', () => import('./received/received-page'), 'ReceivedPage');

const mail = page('/app/inboxes/$inboxId', () => import('./inboxes/mail-page'), 'MailPage');

const runs = page('/app/automations/$automationId/runs', () => import('./automations/runs-page'), 'RunsPage');

const settings = page('/app/settings', () => import('./settings/settings-page'), 'SettingsPage');

/** The editor and its document come together with the page that shows them, not after it. */
function openEditor(type: 'broadcast' | 'template', id: string): void {
  void Promise.all([import('../editor/content-editor'), import('../editor/envelope-head')]).catch(() => undefined);
  if (isId(id)) readAhead({ resource_type: type, resource_id: id });
}

export const teamRoutes: AnyRoute[] = [
  settings.addChildren([
    redirection('/', '/app/settings/profile', settings),
    detail(settings, 'profile', () => import('./settings/profile-settings'), 'ProfileSettings'),
    detail(settings, 'security', () => import('./settings/security-settings'), 'SecuritySettings'),
    detail(settings, 'team', () => import('./settings/team-settings'), 'TeamSettings'),
    detail(settings, 'audit', () => import('./settings/audit-settings'), 'AuditSettings'),
  ]),
  page('/app/start', () => import('./first-minutes/first-minutes'), 'FirstMinutesPage'),
  page('/app/write', () => import('./emails/write-email-page'), 'WriteEmailPage'),
  emails.addChildren([detail(emails, '$emailId', () => import('./emails/email-detail'), 'EmailDetail')]),
  received.addChildren([detail(received, '$receivedId', () => import('./received/received-detail'), 'ReceivedDetail')]),
  page('/app/inboxes', () => import('./inboxes/inboxes-page'), 'InboxesPage'),
  mail.addChildren([
    detail(mail, 'new', () => import('./inboxes/new-message'), 'NewMessage'),
    detail(mail, 'drafts/$draftId', () => import('./inboxes/new-message'), 'DraftDetail'),
    detail(mail, '$threadId', () => import('./inboxes/thread-detail'), 'ThreadDetail'),
  ]),
  page('/app/routes', () => import('./routing/routes-page'), 'RoutesPage'),
  page('/app/templates', () => import('./templates/templates-page'), 'TemplatesPage'),
  page(
    '/app/templates/$templateId',
    () => import('./templates/template-page'),
    'TemplatePage',
    ({ templateId = '' }) => openEditor('template', templateId),
  ),
  page('/app/sections', () => import('./templates/sections-page'), 'SectionsPage'),
  page('/app/styles', () => import('./templates/styles-page'), 'StylesPage'),
  page('/app/broadcasts', () => import('./broadcasts/broadcasts-page'), 'BroadcastsPage'),
  page(
    '/app/broadcasts/$broadcastId',
    () => import('./broadcasts/broadcast-page'),
    'BroadcastPage',
    ({ broadcastId = '' }) => openEditor('broadcast', broadcastId),
  ),
  page('/app/automations', () => import('./automations/automations-page'), 'AutomationsPage'),
  page('/app/automations/$automationId', () => import('./automations/automation-page'), 'AutomationPage'),
  page(
    '/app/automations/$automationId/metrics',
    () => import('./automations/automation-metrics'),
    'AutomationMetricsPage',
  ),
  runs.addChildren([detail(runs, '$runId', () => import('./automations/run-detail'), 'RunDetail')]),
  page('/app/events', () => import('./automations/events-page'), 'EventsPage'),
  contacts.addChildren([detail(contacts, '$contactId', () => import('./audience/contact-detail'), 'ContactDetail')]),
  segments.addChildren([detail(segments, '$segmentId', () => import('./audience/segment-detail'), 'SegmentDetail')]),
  page('/app/topics', () => import('./audience/topics-page'), 'TopicsPage'),
  page('/app/properties', () => import('./audience/properties-page'), 'PropertiesPage'),
  page('/app/imports', () => import('./audience/imports-page'), 'ImportsPage'),
  page('/app/metrics', () => import('./metrics/metrics-page'), 'MetricsPage'),
  domains.addChildren([detail(domains, '$domainId', () => import('./domains/domain-detail'), 'DomainDetail')]),
  page('/app/api-keys', () => import('./api-keys/api-keys-page'), 'ApiKeysPage'),
  webhooks.addChildren([detail(webhooks, '$webhookId', () => import('./webhooks/webhook-detail'), 'WebhookDetail')]),
  page('/app/suppressions', () => import('./suppressions/suppressions-page'), 'SuppressionsPage'),
  logs.addChildren([detail(logs, '$logId', () => import('./logs/log-detail'), 'LogDetail')]),
  page('/app/smtp', () => import('./smtp/smtp-page'), 'SmtpPage'),
  inbox.addChildren([detail(inbox, '$messageId', () => import('./inbox/inbox-message'), 'InboxMessage')]),
  page('/app/usage', () => import('./usage/usage-page'), 'UsagePage'),
  page('/app/machine-room', () => import('./machine-room/machine-room-page'), 'MachineRoomPage'),
  page('/app/reference', () => import('./reference/reference-page'), 'ReferencePage'),
  scheduled.addChildren([detail(scheduled, '$emailId', () => import('./emails/email-detail'), 'EmailDetail')]),
];

/** Pages without a session. */
export const openRoutes: AnyRoute[] = [
  redirection('/', '/app/emails'),
  redirection('/app', '/app/emails'),
  openPage('/app/sign-in', () => import('./sign-in/sign-in-page'), 'SignInPage'),
  openPage('/app/sign-in/two-factor', () => import('./sign-in/two-factor-page'), 'TwoFactorPage'),
  openPage('/app/sign-up', () => import('./sign-in/sign-up-page'), 'SignUpPage'),
  openPage('/app/forgot-password', () => import('./sign-in/forgot-password-page'), 'ForgotPasswordPage'),
  openPage('/app/reset-password', () => import('./sign-in/reset-password-page'), 'ResetPasswordPage'),
  openPage('/app/owner', () => import('./sign-in/owner-page'), 'OwnerPage'),
  openPage('/docs', () => import('./reference/public-reference'), 'PublicReference'),
  openPage('/app/invitation', () => import('./sign-in/invitation-page'), 'InvitationPage'),
];
