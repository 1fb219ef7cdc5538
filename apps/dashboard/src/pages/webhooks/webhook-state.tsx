import { CircleCheck, CircleSlash, CircleX, Clock, Loader, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { StatusBadge } from '../../parts/status-badge';

const looks = {
  enabled: ['good', CircleCheck],
  disabled: ['flat', CircleSlash],
  failing: ['wait', TriangleAlert],
  down: ['bad', CircleX],
  pending: ['info', Clock],
  attempting: ['wait', Loader],
  success: ['good', CircleCheck],
  failed: ['bad', CircleX],
} as const;

/** An enabled endpoint whose calls fail is not simply enabled. */
export function stateOf({
  status,
  health,
}: Pick<Schema<'WebhookSummaryResponse'>, 'status' | 'health'>): keyof typeof looks {
  return status === 'enabled' && health.state !== 'up' ? health.state : status;
}

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
