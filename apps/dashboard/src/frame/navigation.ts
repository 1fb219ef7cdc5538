import { CalendarClock, Mail, Settings, type LucideIcon } from 'lucide-react';

export interface NavigationItem {
  readonly to: string;
  readonly icon: LucideIcon;
  /** Key of its words. */
  readonly label: string;
  /** Keys that open it, such as `g e`. */
  readonly keys?: string;
  /** `mail` and `setup` are divided by a rule, `foot` stands at the lower end of the rail. */
  readonly group: 'mail' | 'setup' | 'foot';
  /** Shown in the bottom bar of the phone. There is room for four. */
  readonly inBar?: boolean;
  /** Only for the operator of the installation. */
  readonly operator?: boolean;
}

/** The rail, in its order. The command palette and the keys follow from it. */
export const navigation: readonly NavigationItem[] = [
  { to: '/app/emails', icon: Mail, label: 'frame:nav.emails', keys: 'g e', group: 'mail', inBar: true },
  { to: '/app/scheduled', icon: CalendarClock, label: 'frame:nav.scheduled', keys: 'g s', group: 'mail', inBar: true },
  { to: '/app/settings', icon: Settings, label: 'frame:nav.settings', keys: 'g ,', group: 'foot' },
];
