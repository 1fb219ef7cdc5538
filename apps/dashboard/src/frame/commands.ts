import {
  Ban,
  FileCode2,
  Globe,
  Inbox,
  KeyRound,
  Layers,
  LayoutTemplate,
  ListChecks,
  Mails,
  MailSearch,
  Megaphone,
  Palette,
  PenLine,
  Route,
  Settings,
  Tags,
  Upload,
  UserPlus,
  Users,
  Webhook,
  Workflow,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import type { Schema } from '../api/client';

/** A page or a form that the command palette opens. */
export interface Place {
  readonly to: string;
  readonly icon: LucideIcon;
  /** Key of its words. */
  readonly label: string;
  /** Without it, it is not shown. */
  readonly permission?: string;
}

/** What can be made, each by the form of its list. */
export const actions: readonly Place[] = [
  { to: '/app/write', icon: PenLine, label: 'emails:write.new', permission: 'emails:send' },
  { to: '/app/broadcasts', icon: Megaphone, label: 'broadcasts:add', permission: 'broadcasts:write' },
  { to: '/app/automations', icon: Workflow, label: 'automations:add', permission: 'automations:write' },
  { to: '/app/templates', icon: LayoutTemplate, label: 'templates:add', permission: 'templates:write' },
  { to: '/app/contacts', icon: UserPlus, label: 'audience:contacts.add', permission: 'audience:write' },
  { to: '/app/imports', icon: Upload, label: 'audience:imports.button', permission: 'audience:write' },
  { to: '/app/segments', icon: Layers, label: 'audience:segments.add', permission: 'audience:write' },
  { to: '/app/domains', icon: Globe, label: 'domains:add.button', permission: 'domains:write' },
  { to: '/app/inboxes', icon: Mails, label: 'inboxes:add', permission: 'emails:write' },
  { to: '/app/routes', icon: Route, label: 'received:routes.add', permission: 'routes:write' },
  { to: '/app/api-keys', icon: KeyRound, label: 'api-keys:create.button', permission: 'api-keys:write' },
  { to: '/app/webhooks', icon: Webhook, label: 'webhooks:add.button', permission: 'webhooks:write' },
  { to: '/app/suppressions', icon: Ban, label: 'suppressions:add.button', permission: 'suppressions:write' },
  { to: '/app/settings/team', icon: UserPlus, label: 'frame:palette.invite', permission: 'team:write' },
];

/** Pages that are below those of the rail. */
export const innerPages: readonly Place[] = [
  { to: '/app/segments', icon: Layers, label: 'audience:segments.title' },
  { to: '/app/topics', icon: Tags, label: 'audience:topics.title' },
  { to: '/app/properties', icon: ListChecks, label: 'audience:properties.title' },
  { to: '/app/imports', icon: Upload, label: 'audience:imports.title' },
  { to: '/app/sections', icon: LayoutTemplate, label: 'templates:sections.title' },
  { to: '/app/styles', icon: Palette, label: 'templates:styles.title' },
  { to: '/app/events', icon: Zap, label: 'automations:events.title' },
  { to: '/app/routes', icon: Route, label: 'received:routes.title', permission: 'routes:read' },
  { to: '/app/settings/profile', icon: Settings, label: 'settings:profile.title' },
  { to: '/app/settings/security', icon: Settings, label: 'settings:security.title' },
  { to: '/app/settings/team', icon: Settings, label: 'settings:team.title', permission: 'team:read' },
  { to: '/app/settings/audit', icon: Settings, label: 'settings:audit.title', permission: 'audit:read' },
];

export type FoundThing = Schema<'FoundThingResponse'>;

interface FoundLook {
  readonly icon: LucideIcon;
  readonly path: (thing: FoundThing) => string;
}

/** How what was found is shown, and where it is. */
export const looks: Readonly<Record<FoundThing['object'], FoundLook>> = {
  contact: { icon: Users, path: ({ id }) => `/app/contacts/${id}` },
  broadcast: { icon: Megaphone, path: ({ id }) => `/app/broadcasts/${id}` },
  template: { icon: FileCode2, path: ({ id }) => `/app/templates/${id}` },
  automation: { icon: Workflow, path: ({ id }) => `/app/automations/${id}` },
  segment: { icon: Layers, path: ({ id }) => `/app/segments/${id}` },
  domain: { icon: Globe, path: ({ id }) => `/app/domains/${id}` },
  inbox: { icon: Inbox, path: ({ id }) => `/app/inboxes/${id}` },
  inbox_thread: { icon: MailSearch, path: ({ id, inbox_id: inbox }) => `/app/inboxes/${inbox ?? ''}/${id}` },
};
