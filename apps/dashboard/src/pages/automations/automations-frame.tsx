import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page';
import { PageTabs } from '../../parts/page-tabs';

/** The frame that automations and events share. */
export function AutomationsFrame({
  actions,
  children,
}: {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Page title={t('automations:title')} actions={actions}>
      <PageTabs
        label={t('automations:title')}
        items={[
          { to: '/app/automations', label: t('automations:all') },
          { to: '/app/events', label: t('automations:events.title') },
        ]}
      />
      {children}
    </Page>
  );
}
