import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { Columns3, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { say, sayError } from '../parts/say';
import type { Column } from './column';
import { exportCsv } from './export-csv';
import type { ColumnChoice } from './use-columns';
import type { ReadPage } from './use-pages';

interface ListToolsProps<Row> {
  readonly columns: ColumnChoice<Row>;
  readonly readPage: ReadPage<Row>;
  /** Name of the exported file, without its ending. */
  readonly fileName: string;
}

/** Choice of columns, and export of what is filtered: for the right end of the filter bar. */
export function ListTools<Row extends { readonly id: string }>({ columns, readPage, fileName }: ListToolsProps<Row>) {
  const { t } = useTranslation();
  const choosable = columns.all.filter(({ fixed }) => fixed !== true);
  return (
    <>
      <ExportButton columns={columns.all} readPage={readPage} fileName={fileName} />
      {choosable.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Tooltip label={t('list:columns')}>
              <ActionIcon aria-label={t('list:columns')} size={32}>
                <Columns3 size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            {choosable.map((column) => (
              <Menu.CheckboxItem
                key={column.id}
                checked={columns.shown.includes(column)}
                onChange={() => columns.toggle(column.id)}
              >
                {column.label}
              </Menu.CheckboxItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

interface ExportButtonProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly readPage: ReadPage<Row>;
  readonly fileName: string;
}

function ExportButton<Row extends { readonly id: string }>({ columns, readPage, fileName }: ExportButtonProps<Row>) {
  const { t } = useTranslation();
  const [rows, setRows] = useState<number>();
  const run = async (): Promise<void> => {
    setRows(0);
    try {
      const { count, isWhole } = await exportCsv({ columns, readPage, fileName, onProgress: setRows });
      say(t(isWhole ? 'list:exported' : 'list:exportedPart', { count }));
    } catch (error) {
      sayError(error);
    } finally {
      setRows(undefined);
    }
  };
  const label = rows === undefined ? t('list:export') : t('list:exporting', { count: rows });
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} size={32} loading={rows !== undefined} onClick={() => void run()}>
        <Download size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
