import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../api/session';
import { Page } from '../../parts/page';
import { PageTabs } from '../../parts/page-tabs';

/** The frame that received mail and the routes share. The tabs stand in the list of a page with details. */
export function ReceivedFrame({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Page title={t('received:title')} actions={actions}>
      {children}
    </Page>
  );
}

export function ReceivedTabs() {
  const { t } = useTranslation();
  const mayRoutes = useMay('routes:read');
  return (
    <PageTabs
      label={t('received:title')}
      items={[
        { to: '/app/received', label: t('received:messages') },
        ...(mayRoutes ? [{ to: '/app/routes', label: t('received:routes.title') }] : []),
      ]}
    />
  );
}
