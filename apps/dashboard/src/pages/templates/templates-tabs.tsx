import { useTranslation } from 'react-i18next';
import { PageTabs } from '../../parts/page-tabs';

/** Templates, and what their documents share. */
export function TemplatesTabs() {
  const { t } = useTranslation();
  return (
    <PageTabs
      label={t('templates:title')}
      items={[
        { to: '/app/templates', label: t('templates:title'), exact: true },
        { to: '/app/sections', label: t('templates:sections.title') },
        { to: '/app/styles', label: t('templates:styles.title') },
      ]}
    />
  );
}
