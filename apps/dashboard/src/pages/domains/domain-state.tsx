import { CircleAlert, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge, type Tone } from '../../parts/status-badge';

const looks: Readonly<Record<string, readonly [Tone, LucideIcon]>> = {
  not_started: ['flat', CircleDashed],
  pending: ['info', Clock],
  verified: ['good', CircleCheck],
  partially_verified: ['wait', CircleAlert],
  partially_failed: ['wait', CircleAlert],
  temporary_failure: ['wait', CircleAlert],
  failed: ['bad', CircleX],
};

/** The state of a domain or of one of its records. */
export function DomainState({ state, plain = false }: { readonly state: string; readonly plain?: boolean }) {
  const { t } = useTranslation();
  const [tone, icon] = looks[state] ?? ['flat', CircleDashed];
  return <StatusBadge tone={tone} icon={icon} label={t(`domains:state.${state}`)} plain={plain} />;
}
