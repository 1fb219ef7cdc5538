import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page';
import { PageTabs } from '../../parts/page-tabs';

interface AudiencePageProps {
  readonly actions?: ReactNode;
  /** For a page with details: the tabs stand in its list, because the detail begins beside the title. */
  readonly withoutTabs?: boolean;
  readonly children: ReactNode;
}

/** The frame that contacts, segments, topics, properties and imports share. */
export function AudiencePage({ actions, withoutTabs = false, children }: AudiencePageProps) {
  const { t } = useTranslation();
  return (
    <Page title={t('audience:title')} actions={actions}>
      {withoutTabs ? null : <AudienceTabs />}
      {children}
    </Page>
  );
}

export function AudienceTabs() {
  const { t } = useTranslation();
  return (
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
  );
}
