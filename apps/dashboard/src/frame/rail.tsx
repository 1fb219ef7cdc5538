import { Box, Flex, Kbd, Tooltip, UnstyledButton } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { modKey } from '../parts/keys';
import type { NavigationItem } from './navigation';
import styles from './rail.module.css';
import { TeamSwitcher } from './team-switcher';
import { UserMenu } from './user-menu';

interface RailProps {
  readonly items: readonly NavigationItem[];
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

export function Rail({ items, openPalette, openHelp }: RailProps) {
  const { t } = useTranslation();
  return (
    <nav className={styles.rail} aria-label={t('frame:navigation')}>
      <TeamSwitcher />
      <UnstyledButton className={styles.search} onClick={openPalette}>
        <Search size={15} aria-hidden />
        <span>{t('frame:search')}</span>
        <Kbd className={styles.kbd}>{modKey} K</Kbd>
      </UnstyledButton>
      <NavigationLinks items={items.filter(({ group }) => group === 'mail')} />
      <hr className={styles.rule} />
      <NavigationLinks items={items.filter(({ group }) => group === 'setup')} />
      <Box flex={1} />
      <NavigationLinks items={items.filter(({ group }) => group === 'foot')} />
      <UserMenu openHelp={openHelp} />
    </nav>
  );
}

export function NavigationLinks({
  items,
  onOpen,
}: {
  readonly items: readonly NavigationItem[];
  readonly onOpen?: () => void;
}) {
  const { t } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (items.length === 0) return null;
  return (
    <Flex component="ul" direction="column" gap={1}>
      {items.map(({ to, also, icon: Icon, label, keys }) => (
        <li key={to}>
          <Tooltip label={<Kbd size="xs">{keys}</Kbd>} position="right" disabled={keys === undefined} openDelay={900}>
            <Link
              to={to}
              className={`${styles.item} ${also?.some((other) => path.startsWith(other)) === true ? styles.current : ''}`}
              activeProps={{ className: styles.current ?? '', 'aria-current': 'page' }}
              onClick={onOpen}
            >
              <Icon size={16} strokeWidth={1.8} aria-hidden />
              <span className="cut">{t(label)}</span>
            </Link>
          </Tooltip>
        </li>
      ))}
    </Flex>
  );
}
