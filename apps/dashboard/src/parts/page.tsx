import { ActionIcon, Flex, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Where the arrow before the title leads, on a page that is below another one. */
  readonly back?: string;
  /** Beside the title, such as a count. */
  readonly aside?: ReactNode;
  /** At the right: one main action, and quiet ones before it. */
  readonly actions?: ReactNode;
  /** The content scrolls by itself if it is not a list. */
  readonly scroll?: boolean;
  readonly children: ReactNode;
}

/** A page: a title line with its one main action at the right, then the content. */
export function Page({ title, back, aside, actions, scroll = false, children }: PageProps) {
  useTitle(title);
  return (
    <Stack gap={0} flex={1} miw={0} mih={0}>
      <header className={styles.header}>
        {back === undefined ? null : <BackLink to={back} />}
        <h1 className={`cut ${styles.title}`}>{title}</h1>
        {aside}
        <Flex gap={8} align="center" ml="auto">
          {actions}
        </Flex>
      </header>
      {scroll ? <div className={styles.scroll}>{children}</div> : children}
    </Stack>
  );
}

function BackLink({ to }: { readonly to: string }) {
  const { t } = useTranslation();
  return (
    <ActionIcon component={Link} to={to} aria-label={t('common:back')} className={styles.back}>
      <ArrowLeft size={18} aria-hidden />
    </ActionIcon>
  );
}

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Postrider`;
  }, [title]);
}
