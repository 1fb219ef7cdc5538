import { CircleCheck, CircleSlash, CircleX, Clock, Loader } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../parts/status-badge';

const looks = {
  enabled: ['good', CircleCheck],
  disabled: ['flat', CircleSlash],
  pending: ['info', Clock],
  attempting: ['wait', Loader],
  success: ['good', CircleCheck],
  failed: ['bad', CircleX],
} as const;

/** The state of an endpoint or of a message to it. */
export function WebhookState({
  state,
  plain = false,
}: {
  readonly state: keyof typeof looks;
  readonly plain?: boolean;
}) {
  const { t } = useTranslation();
  const [tone, icon] = looks[state];
  return <StatusBadge tone={tone} icon={icon} label={t(`webhooks:state.${state}`)} plain={plain} />;
}
