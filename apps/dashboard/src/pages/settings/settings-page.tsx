import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../api/session';
import { Page } from '../../parts/page';
import styles from './settings.module.css';

const sections = [
  { to: '/app/settings/profile', label: 'settings:profile.title' },
  { to: '/app/settings/security', label: 'settings:security.title' },
  { to: '/app/settings/team', label: 'settings:team.title', permission: 'team:read' },
  { to: '/app/settings/audit', label: 'settings:audit.title', permission: 'audit:read' },
] as const;

export function SettingsPage() {
  const { t } = useTranslation();
  const may = { 'team:read': useMay('team:read'), 'audit:read': useMay('audit:read') };
  return (
    <Page title={t('settings:title')}>
      <div className={styles.page}>
        <nav className={styles.nav} aria-label={t('settings:title')}>
          {sections
            .filter((section) => !('permission' in section) || may[section.permission])
            .map(({ to, label }) => (
              <Link key={to} to={to} className={styles.link} activeProps={{ className: styles.current ?? '' }}>
                {t(label)}
              </Link>
            ))}
        </nav>
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
