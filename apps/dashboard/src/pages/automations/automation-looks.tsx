import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  CalendarClock,
  Clock,
  Flag,
  GitBranch,
  Hourglass,
  ListMinus,
  ListPlus,
  Loader,
  Mail,
  Percent,
  Send,
  SkipForward,
  UserPen,
  UserX,
  Webhook,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge, type StateLook } from '../../parts/status-badge';

export const stepIcons: Readonly<Record<string, LucideIcon>> = {
  trigger: Zap,
  send_email: Mail,
  delay: Clock,
  wait_until: CalendarClock,
  goal: Flag,
  send_event: Send,
  webhook: Webhook,
  wait_for_event: Hourglass,
  condition: GitBranch,
  split: Percent,
  contact_update: UserPen,
  contact_delete: UserX,
  add_to_segment: ListPlus,
  remove_from_segment: ListMinus,
};

const looks: Readonly<Record<string, StateLook>> = {
  enabled: { tone: 'good', icon: CircleCheck },
  disabled: { tone: 'flat', icon: CirclePause },
  running: { tone: 'info', icon: Loader },
  waiting: { tone: 'wait', icon: Clock },
  pending: { tone: 'flat', icon: CircleDashed },
  completed: { tone: 'good', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleX },
  cancelled: { tone: 'flat', icon: Ban },
  not_started: { tone: 'flat', icon: Ban },
  skipped: { tone: 'flat', icon: SkipForward },
};

/** The state of an automation, of a run or of a step of a run. */
export function AutomationState({ state, plain = false }: { readonly state: string; readonly plain?: boolean }) {
  const { t } = useTranslation();
  const { tone, icon } = looks[state] ?? { tone: 'flat', icon: CircleDashed };
  return <StatusBadge tone={tone} icon={icon} label={t(`automations:status.${state}`)} plain={plain} />;
}
