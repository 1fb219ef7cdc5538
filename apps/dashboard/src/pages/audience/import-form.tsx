import { Button, FileButton, MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../api/client';
import { ApiError } from '../../api/error';
import { columnMap, columnsOfCsv, guessedColumns, OwnField, ownFields, textOfCsv } from '../../logic/csv-columns';
import { FormModal } from '../../parts/form-modal';
import { segmentsQuery } from './audience-queries';
import styles from './audience.module.css';

interface ImportFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly created: () => void;
}

/** A CSV file, which of its columns are what, and where its people are added. */
export function ImportForm({ opened, close, created }: ImportFormProps) {
  const { t } = useTranslation();
  const segments = useQuery({ ...segmentsQuery, enabled: opened });
  const [file, setFile] = useState<File>();
  const [isOver, setOver] = useState(false);
  const [columns, setColumns] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<Readonly<Partial<Record<OwnField, string>>>>({});
  const [conflict, setConflict] = useState<'upsert' | 'skip'>('upsert');
  const [groups, setGroups] = useState<string[]>([]);
  const take = async (taken: File | null | undefined): Promise<void> => {
    if (taken === null || taken === undefined) return;
    const found = columnsOfCsv(textOfCsv(new Uint8Array(await taken.slice(0, 64 * 1_024).arrayBuffer())));
    setFile(taken);
    setColumns(found);
    setChosen(guessedColumns(found));
  };
  const run = async (): Promise<void> => {
    if (file === undefined) return;
    const form = new FormData();
    form.set('column_map', JSON.stringify(columnMap(columns, chosen)));
    form.set('on_conflict', conflict);
    if (groups.length > 0) form.set('segments', JSON.stringify(groups.map((id) => ({ id }))));
    form.set('file', file);
    const response = await send(new Request('/contacts/imports', { method: 'POST', body: form }));
    if (!response.ok) throw ApiError.of(response.status, await response.json().catch(() => undefined));
    setFile(undefined);
    setColumns([]);
    created();
  };
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('audience:imports.addTitle')}
      action={t('audience:imports.submit')}
      size={560}
      isReady={file !== undefined && chosen.email !== undefined}
      run={run}
    >
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <FileSpreadsheet size={22} strokeWidth={1.6} aria-hidden />
        <span>{file?.name ?? t('audience:imports.drop')}</span>
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(taken) => void take(taken)}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('audience:imports.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {file === undefined ? (
        <p className="quiet">{t('audience:imports.fileText')}</p>
      ) : (
        <>
          {ownFields.map((field) => (
            <Select
              key={field}
              label={t(`audience:imports.column.${field}`)}
              data={[...columns]}
              value={chosen[field] ?? null}
              clearable={field !== 'email'}
              onChange={(column) => setChosen({ ...chosen, [field]: column ?? undefined })}
            />
          ))}
          <Properties columns={columns} chosen={chosen} />
          <Select
            label={t('audience:imports.known')}
            data={(['upsert', 'skip'] as const).map((value) => ({
              value,
              label: t(`audience:imports.conflict.${value}`),
            }))}
            value={conflict}
            allowDeselect={false}
            onChange={(value) => setConflict(value === 'skip' ? 'skip' : 'upsert')}
          />
          <MultiSelect
            label={t('audience:imports.segments')}
            data={(segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={groups}
            onChange={setGroups}
            searchable
          />
        </>
      )}
    </FormModal>
  );
}

function Properties(props: {
  readonly columns: readonly string[];
  readonly chosen: Readonly<Partial<Record<OwnField, string>>>;
}) {
  const { t } = useTranslation();
  const others = Object.keys(columnMap(props.columns, props.chosen).properties ?? {});
  if (others.length === 0) return null;
  return (
    <p className="quiet">
      {t('audience:imports.properties', { count: others.length })}{' '}
      {others.map((key) => (
        <code key={key} style={{ marginInlineEnd: 6 }}>
          {key}
        </code>
      ))}
    </p>
  );
}
