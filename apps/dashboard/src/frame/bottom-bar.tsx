import { Drawer, SegmentedControl, Stack, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './bottom-bar.module.css';
import type { NavigationItem } from './navigation';
import { NavigationLinks } from './rail';
import { useSignOut } from './sign-out';
import { TeamSwitcher } from './team-switcher';
import { useUserActions } from './user-menu';

interface BottomBarProps {
  readonly items: readonly NavigationItem[];
  readonly openPalette: () => void;
}

/** The rail of a phone: four pages, and a sheet with everything. */
export function BottomBar({ items, openPalette }: BottomBarProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const inBar = items.filter(({ inBar: wanted }) => wanted === true).slice(0, 4);
  return (
    <nav className={styles.bar} aria-label={t('frame:navigation')}>
      {inBar.map(({ to, icon: Icon, label }) => (
        <Link key={to} to={to} className={styles.item} activeProps={{ className: styles.current ?? '' }}>
          <Icon size={20} strokeWidth={1.8} aria-hidden />
          <span>{t(label)}</span>
        </Link>
      ))}
      <UnstyledButton className={styles.item} onClick={() => setOpened(true)} aria-expanded={opened}>
        <MenuIcon size={20} strokeWidth={1.8} aria-hidden />
        <span>{t('frame:more')}</span>
      </UnstyledButton>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="auto"
        title={t('frame:navigation')}
        closeButtonProps={{ 'aria-label': t('common:close') }}
        classNames={{ content: styles.sheet ?? '' }}
      >
        <Sheet items={items} close={() => setOpened(false)} openPalette={openPalette} />
      </Drawer>
    </nav>
  );
}

function Sheet({ items, close, openPalette }: BottomBarProps & { readonly close: () => void }) {
  const { t } = useTranslation();
  const actions = useUserActions();
  const signOut = useSignOut();
  const search = (): void => {
    close();
    openPalette();
  };
  return (
    <Stack gap={10} pb={8}>
      <TeamSwitcher />
      <UnstyledButton className={styles.action} onClick={search}>
        <Search size={16} aria-hidden />
        {t('frame:search')}
      </UnstyledButton>
      <NavigationLinks items={items} onOpen={close} />
      <SegmentedControl
        fullWidth
        aria-label={t('frame:scheme.title')}
        value={actions.schemes.find(({ chosen }) => chosen)?.value ?? 'auto'}
        onChange={(value) => actions.schemes.find((scheme) => scheme.value === value)?.choose()}
        data={actions.schemes.map(({ value, label }) => ({ value, label }))}
      />
      <SegmentedControl
        fullWidth
        aria-label={t('frame:language')}
        value={actions.languages.find(({ chosen }) => chosen)?.value ?? 'en'}
        onChange={(value) => actions.languages.find((language) => language.value === value)?.choose()}
        data={actions.languages.map(({ value, label }) => ({ value, label }))}
      />
      <UnstyledButton className={styles.action} onClick={signOut}>
        {t('frame:user.signOut')}
      </UnstyledButton>
    </Stack>
  );
}
