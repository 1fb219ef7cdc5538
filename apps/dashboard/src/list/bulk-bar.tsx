import { ActionIcon, Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayError } from '../parts/say';
import styles from './bulk-bar.module.css';
import type { BulkAction } from './column';

interface BulkBarProps<Row> {
  readonly actions: readonly BulkAction<Row>[];
  readonly rows: readonly Row[];
  readonly clear: () => void;
}

/** Slides up while rows are selected. */
export function BulkBar<Row>({ actions, rows, clear }: BulkBarProps<Row>) {
  const { t } = useTranslation();
  const [running, setRunning] = useState<string>();
  if (rows.length === 0) return null;
  const run = async ({ id, accepts, run: act }: BulkAction<Row>): Promise<void> => {
    setRunning(id);
    try {
      await act(accepts === undefined ? rows : rows.filter(accepts));
      clear();
    } catch (error) {
      sayError(error);
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('list:bulk')}>
      <span className="tabular">{t('list:selected', { count: rows.length })}</span>
      {actions
        .filter(({ accepts }) => accepts === undefined || rows.some(accepts))
        .map((action) => (
          <Button
            key={action.id}
            variant={action.dangerous === true ? 'light' : 'default'}
            color={action.dangerous === true ? 'red' : 'indigo'}
            leftSection={action.icon}
            loading={running === action.id}
            disabled={running !== undefined && running !== action.id}
            onClick={() => void run(action)}
          >
            {action.label}
          </Button>
        ))}
      <ActionIcon aria-label={t('list:clearSelection')} onClick={clear}>
        <X size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
