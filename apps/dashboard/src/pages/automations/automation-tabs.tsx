import { useTranslation } from 'react-i18next';
import { PageTabs } from '../../parts/page-tabs';

/** What an automation does, and the ways of contacts through it. */
export function AutomationTabs({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <PageTabs
      label={t('automations:one')}
      items={[
        { to: `/app/automations/${id}`, label: t('automations:steps'), exact: true },
        { to: `/app/automations/${id}/runs`, label: t('automations:runs.title') },
        { to: `/app/automations/${id}/metrics`, label: t('automations:metrics.title') },
      ]}
    />
  );
}
