import {
  Ban,
  BookOpen,
  CalendarClock,
  ChartColumn,
  Gauge,
  Globe,
  Inbox,
  KeyRound,
  LayoutTemplate,
  Mail,
  Mails,
  Megaphone,
  MonitorCog,
  ScrollText,
  Server,
  Settings,
  TestTubeDiagonal,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

export interface NavigationItem {
  readonly to: string;
  /** Other pages of the same subject, at which it is shown as the present one. */
  readonly also?: readonly string[];
  readonly icon: LucideIcon;
  /** Key of its words. */
  readonly label: string;
  /** Keys that open it, such as `g e`. */
  readonly keys?: string;
  /** `mail` and `setup` are separated by a line, `foot` stands at the lower end of the rail. */
  readonly group: 'mail' | 'setup' | 'foot';
  /** Shown in the bottom bar of the phone. There is room for four. */
  readonly inBar?: boolean;
  /** Only for the operator of the installation. */
  readonly operator?: boolean;
}

/** The rail, in its order. The command palette and the keys follow from it. */
export const navigation: readonly NavigationItem[] = [
  {
    to: '/app/emails',
    also: ['/app/write'],
    icon: Mail,
    label: 'frame:nav.emails',
    keys: 'g e',
    group: 'mail',
    inBar: true,
  },
  { to: '/app/scheduled', icon: CalendarClock, label: 'frame:nav.scheduled', keys: 'g s', group: 'mail', inBar: true },
  {
    to: '/app/received',
    also: ['/app/routes'],
    icon: Inbox,
    label: 'frame:nav.received',
    keys: 'g i',
    group: 'mail',
  },
  { to: '/app/inboxes', icon: Mails, label: 'frame:nav.inboxes', keys: 'g n', group: 'mail' },
  { to: '/app/broadcasts', icon: Megaphone, label: 'frame:nav.broadcasts', keys: 'g o', group: 'mail' },
  {
    to: '/app/automations',
    also: ['/app/events'],
    icon: Workflow,
    label: 'frame:nav.automations',
    keys: 'g f',
    group: 'mail',
  },
  {
    to: '/app/templates',
    also: ['/app/sections', '/app/styles'],
    icon: LayoutTemplate,
    label: 'frame:nav.templates',
    keys: 'g t',
    group: 'mail',
  },
  {
    to: '/app/contacts',
    also: ['/app/segments', '/app/topics', '/app/properties', '/app/imports'],
    icon: Users,
    label: 'frame:nav.audience',
    keys: 'g c',
    group: 'mail',
  },
  { to: '/app/metrics', icon: ChartColumn, label: 'frame:nav.metrics', keys: 'g m', group: 'mail', inBar: true },
  { to: '/app/domains', icon: Globe, label: 'frame:nav.domains', keys: 'g d', group: 'setup', inBar: true },
  { to: '/app/api-keys', icon: KeyRound, label: 'frame:nav.apiKeys', keys: 'g k', group: 'setup' },
  { to: '/app/webhooks', icon: Webhook, label: 'frame:nav.webhooks', keys: 'g w', group: 'setup' },
  { to: '/app/suppressions', icon: Ban, label: 'frame:nav.suppressions', keys: 'g b', group: 'setup' },
  { to: '/app/logs', icon: ScrollText, label: 'frame:nav.logs', keys: 'g l', group: 'setup' },
  { to: '/app/inbox', icon: TestTubeDiagonal, label: 'frame:nav.inbox', keys: 'g x', group: 'setup' },
  { to: '/app/smtp', icon: Server, label: 'frame:nav.smtp', group: 'setup' },
  { to: '/app/reference', icon: BookOpen, label: 'frame:nav.reference', keys: 'g a', group: 'setup' },
  { to: '/app/usage', icon: Gauge, label: 'frame:nav.usage', keys: 'g u', group: 'foot' },
  {
    to: '/app/machine-room',
    icon: MonitorCog,
    label: 'frame:nav.machineRoom',
    keys: 'g r',
    group: 'foot',
    operator: true,
  },
  { to: '/app/settings', icon: Settings, label: 'frame:nav.settings', keys: 'g ,', group: 'foot' },
];
