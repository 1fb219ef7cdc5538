import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '@mantine/core';
import { membersQuery } from '../../api/members-query';
import { answer, api, type Schema } from '../../api/client';
import type { Column } from '../../list/column';
import { FilterBar } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import { useTitle } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import styles from './settings.module.css';

type Entry = Schema<'AuditEntryResponse'>;

/** Who changed what, from where, with the values before and after. */
export function AuditSettings() {
  const { t } = useTranslation();
  useTitle(t('settings:audit.title'));
  const [opened, setOpened] = useState<Entry>();
  const rows = usePages<Entry>(['audit'], ({ limit, after, signal }) =>
    answer(api.GET('/audit', { params: { query: { limit, after } }, signal })),
  );
  const members = useQuery(membersQuery);
  const names = useMemo(() => new Map(members.data?.map(({ id, name }) => [id, name])), [members.data]);
  const columns = useColumns(
    'audit',
    useMemo((): readonly Column<Entry>[] => {
      const actorOf = ({ actor }: Entry): string => {
        const { kind, id, tool } = actor as { kind: string; id?: string | null; tool?: { name: string } | null };
        const name = names.get(id ?? '') ?? t(`settings:audit.actor.${kind}`);
        return tool == null ? name : `${name} · ${tool.name}`;
      };
      return [
        {
          id: 'action',
          label: t('settings:audit.action'),
          width: 'minmax(160px, 2fr)',
          fixed: true,
          cell: ({ action }) => <span className="mono">{action}</span>,
          csv: ({ action }) => action,
        },
        { id: 'actor', label: t('settings:audit.who'), width: 'minmax(100px, 1fr)', cell: actorOf, csv: actorOf },
        {
          id: 'address',
          label: t('settings:audit.address'),
          width: '130px',
          cell: ({ address }) => <span className="mono quiet">{address}</span>,
          csv: ({ address }) => address ?? '',
        },
        {
          id: 'at',
          label: t('settings:audit.when'),
          width: '110px',
          align: 'end',
          cell: ({ created_at }) => <Time at={created_at} />,
          csv: ({ created_at }) => created_at,
        },
      ];
    }, [t, names]),
  );
  return (
    <>
      <FilterBar filters={[]} values={{}} change={() => undefined}>
        <ListTools columns={columns} readPage={rows.readPage} fileName="audit" />
      </FilterBar>
      <List
        label={t('settings:audit.title')}
        rows={rows}
        columns={columns.shown}
        compact={(row) => (
          <span>
            <span className="mono">{row.action}</span>
            <br />
            <span className="quiet">
              <Time at={row.created_at} />
            </span>
          </span>
        )}
        open={setOpened}
        empty={<EmptyState icon={ScrollText} title={t('settings:audit.empty')} text={t('settings:audit.emptyText')} />}
      />
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.action}
        size={640}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        {opened === undefined ? null : <Change entry={opened} />}
      </Modal>
    </>
  );
}

function Change({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation();
  const before = (entry.before ?? {}) as Record<string, unknown>;
  const after = (entry.after ?? {}) as Record<string, unknown>;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (fields.length === 0) return <p className="quiet">{t('settings:audit.noValues')}</p>;
  const shown = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
  return (
    <div className={styles.changes}>
      <span className="quiet">{t('settings:audit.field')}</span>
      <span className="quiet">{t('settings:audit.before')}</span>
      <span className="quiet">{t('settings:audit.after')}</span>
      {fields.map((field) => [
        <span key={field}>{field}</span>,
        <span key={`${field} before`}>{shown(before[field])}</span>,
        <span key={`${field} after`}>{shown(after[field])}</span>,
      ])}
    </div>
  );
}
