import { CalendarClock, CircleCheck, CircleSlash, Loader, Pause, PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge, unknownState, type StateLook } from '../../parts/status-badge';

const looks: Readonly<Record<string, StateLook>> = {
  draft: { tone: 'flat', icon: PencilLine },
  scheduled: { tone: 'info', icon: CalendarClock },
  queued: { tone: 'act', icon: Loader },
  paused: { tone: 'wait', icon: Pause },
  sent: { tone: 'good', icon: CircleCheck },
  canceled: { tone: 'flat', icon: CircleSlash },
};

export function BroadcastState({ state, plain = false }: { readonly state: string; readonly plain?: boolean }) {
  const { t } = useTranslation();
  const { tone, icon } = looks[state] ?? unknownState;
  return <StatusBadge tone={tone} icon={icon} label={t(`broadcasts:status.${state}`)} plain={plain} />;
}
