import { Flex } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { Amount } from '../../parts/amount';
import layout from '../../parts/layout.module.css';
import { useAdding } from '../../parts/use-adding';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AutomationState } from './automation-looks';
import type { Automation } from './automation-queries';
import { AutomationsFrame } from './automations-frame';
import { NewAutomation } from './new-automation';

export function AutomationsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const adding = useAdding('automations:write', t('automations:add'));
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
  return (
    <AutomationsFrame actions={adding.button}>
      <List
        label={t('automations:title')}
        rows={rows}
        columns={columns}
        compact={({ name, status, created_at: created, updated_at: updated }) => (
          <Flex component="span" direction="column" gap={2} miw={0}>
            <span className="cut">{name}</span>
            <span className={layout.line}>
              <span className="quiet">
                <Time at={updated ?? created} form="short" />
              </span>
              <AutomationState state={status} plain />
            </span>
          </Flex>
        )}
        hrefOf={({ id }) => `/app/automations/${id}`}
        open={({ id }) => void navigate({ to: `/app/automations/${id}` })}
        empty={
          <EmptyState icon={Workflow} title={t('automations:empty')} text={t('automations:emptyText')}>
            {adding.button}
          </EmptyState>
        }
      />
      <NewAutomation opened={adding.opened} close={adding.close} />
    </AutomationsFrame>
  );
}
