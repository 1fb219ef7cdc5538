import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Workflow } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { Amount } from '../../parts/amount';
import layout from '../../parts/layout.module.css';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AutomationState } from './automation-looks';
import type { Automation } from './automation-queries';
import { AutomationsFrame } from './automations-frame';
import { NewAutomation } from './new-automation';

export function AutomationsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('automations:write');
  const [adding, setAdding] = useState(false);
  const rows = usePages<Automation>(['automations'], ({ limit, after, signal }) =>
    answer(api.GET('/automations', { params: { query: { limit, after } }, signal })),
  );
  const columns = useMemo(
    (): Column<Automation>[] => [
      { id: 'name', label: t('automations:name'), width: 'minmax(200px, 3fr)', cell: ({ name }) => name },
      {
        id: 'state',
        label: t('automations:state'),
        width: '150px',
        cell: ({ status }) => <AutomationState state={status} />,
      },
      ...(['runs', 'running', 'emails'] as const).map((number) => ({
        id: number,
        label: t(`automations:listed.${number}`),
        width: '90px',
        align: 'end' as const,
        cell: (row: Automation) => <Amount value={row[number]} />,
      })),
      {
        id: 'changed',
        label: t('automations:changed'),
        width: '120px',
        align: 'end',
        cell: ({ created_at: created, updated_at: updated }) => <Time at={updated ?? created} form="short" />,
      },
    ],
    [t],
  );
  const add = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      {t('automations:add')}
    </Button>
  );
  return (
    <AutomationsFrame actions={mayWrite ? add : undefined}>
      <List
        label={t('automations:title')}
        rows={rows}
        columns={columns}
        compact={({ name, status, created_at: created, updated_at: updated }) => (
          <span className={layout.two}>
            <span className="cut">{name}</span>
            <span className={layout.line}>
              <span className="quiet">
                <Time at={updated ?? created} form="short" />
              </span>
              <AutomationState state={status} plain />
            </span>
          </span>
        )}
        hrefOf={({ id }) => `/app/automations/${id}`}
        open={({ id }) => void navigate({ to: `/app/automations/${id}` })}
        empty={
          <EmptyState icon={Workflow} title={t('automations:empty')} text={t('automations:emptyText')}>
            {mayWrite ? add : undefined}
          </EmptyState>
        }
      />
      <NewAutomation opened={adding} close={() => setAdding(false)} />
    </AutomationsFrame>
  );
}
