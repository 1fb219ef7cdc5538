import { CircleCheck, PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../parts/status-badge';

export function TemplateState(props: { readonly state: 'draft' | 'published'; readonly plain?: boolean }) {
  const { t } = useTranslation();
  const { state, plain = false } = props;
  const isOut = state === 'published';
  return (
    <StatusBadge
      tone={isOut ? 'good' : 'flat'}
      icon={isOut ? CircleCheck : PencilLine}
      label={t(`templates:status.${state}`)}
      plain={plain}
    />
  );
}
