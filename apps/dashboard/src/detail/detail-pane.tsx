import { ActionIcon, Flex, Tooltip } from '@mantine/core';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts';
import { useTitle } from '../parts/page';
import styles from './detail-pane.module.css';

interface DetailPaneProps {
  readonly title: string;
  /** Stands before the title, such as a badge. */
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The detail of a row, beside the list. Escape closes it. */
export function DetailPane({ title, badge, actions, close, children }: DetailPaneProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useShortcuts([{ keys: 'Escape', label: t('list:keys.close'), group: t('list:keys.list'), run: close }]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className={styles.pane} aria-label={title}>
      <header className={styles.header}>
        <ActionIcon className={styles.back} aria-label={t('common:back')} onClick={close}>
          <ArrowLeft size={18} aria-hidden />
        </ActionIcon>
        <h2 ref={heading} tabIndex={-1} className={`cut ${styles.title}`}>
          {title}
        </h2>
        {badge}
        <Flex gap={6} align="center" flex="none" ml="auto">
          {actions}
          <Tooltip label={t('common:closeKey')}>
            <ActionIcon className={styles.close} aria-label={t('common:close')} onClick={close}>
              <X size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Flex>
      </header>
      {children}
    </section>
  );
}
