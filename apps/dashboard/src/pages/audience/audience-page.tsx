import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page';
import { PageTabs } from '../../parts/page-tabs';

/** The frame that contacts, segments, topics, properties and imports share. */
export function AudiencePage({ actions, children }: { readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Page title={t('audience:title')} actions={actions}>
      <PageTabs
        label={t('audience:title')}
        items={[
          { to: '/app/contacts', label: t('audience:contacts.title') },
          { to: '/app/segments', label: t('audience:segments.title') },
          { to: '/app/topics', label: t('audience:topics.title') },
          { to: '/app/properties', label: t('audience:properties.title') },
          { to: '/app/imports', label: t('audience:imports.title') },
        ]}
      />
      {children}
    </Page>
  );
}
